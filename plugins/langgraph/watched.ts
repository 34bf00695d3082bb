/**
 * Tells when a generator has failed to begin, or is left; its other ends its callers hear of. Otherwise it is as it was,
 * and its chunks come no later: a generator around it would hold each one back for a moment, in which LangGraph's own
 * objects go on changing.
 */
export function watched(
  generator: AsyncGenerator<unknown>,
  ended: () => Promise<void>,
): AsyncGenerator<unknown> {
  let hasBegun = false;
  const left = <Step extends Promise<IteratorResult<unknown>>>(step: Step): Step => {
    step.then(ended, ended);
    return step;
  };
  return {
    next: (...sent) => {
      const step = generator.next(...sent);
      if (!hasBegun) step.catch(ended);
      hasBegun = true;
      return step;
    },
    return: (value) => left(generator.return(value)),
    throw: (error) => left(generator.throw(error)),
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return(undefined);
    },
  };
}
