/**
 * Tells of a generator's end, whichever way it comes: done, failed or left. Otherwise it is as it was, and its chunks come
 * no later: a generator around it would hold each one back for a moment, in which LangGraph's own objects go on changing.
 */
export function watched(
  generator: AsyncGenerator<unknown>,
  ended: () => Promise<void>,
): AsyncGenerator<unknown> {
  const noted = <Step extends Promise<IteratorResult<unknown>>>(step: Step): Step => {
    step.then(({ done }) => (done ? ended() : undefined), ended);
    return step;
  };
  return {
    next: (...sent) => noted(generator.next(...sent)),
    return: (value) => noted(generator.return(value)),
    throw: (error) => noted(generator.throw(error)),
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return(undefined);
    },
  };
}
