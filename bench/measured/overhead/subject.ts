/** A host, and how one run of it goes. */
export interface Subject {
  readonly label: string;
  /** Model calls, or steps of a workflow, of one run; a model call has its tool with it. */
  readonly steps: number;
  /** @throws if the run did not take its steps */
  run(): Promise<void>;
}

/** Audits a host, or leaves it as it is. */
export type Hook = <Host extends object>(host: Host) => Host;

/** Builds what a framework is measured on; the names are those in the JSON. */
export type SubjectsOf = (hook: Hook) => Readonly<Record<string, Subject>>;

export const TASK = 'Which of the three suppliers delivers 40 pumps by Friday at the lowest price?';
export const ANSWER = 'S-1004 delivers by Friday at the lowest price, 214.50 EUR.';
export const ASIDE =
  'The list still has one supplier. I need its price and its lead time before I can compare it with the others.';

export const offerOf = (supplier: string) =>
  `{"supplier":"${supplier}","item":"pump 40-B","stock":61,"unitPrice":214.50,"currency":"EUR","leadTimeDays":3}`;

/** @throws if a run took other steps than it is counted with */
export function requireSteps(taken: number, steps: number): void {
  if (taken !== steps) throw new Error(`a run took ${taken} steps, not ${steps}`);
}
