/** What belongs to each framework, by the names under which it is imported; the keys are the folders' names. */
export const FAMILIES: Readonly<Record<string, RegExp>> = {
  langgraph: /^(@langchain\/|langchain(\/|$))/,
  mastra: /^@mastra\//,
  'openai-agents': /^@openai\/agents/,
  'ai-sdk': /^(ai|@ai-sdk\/[^/]+)(\/|$)/,
};

/** The framework whose lowest versions this process runs on, and where `run.mjs` has installed them. */
export function underTest() {
  const { AGENTFORESIGHT_LOWEST: installed, AGENTFORESIGHT_LOWEST_OF: framework = '' } = process.env;
  const family = FAMILIES[framework];
  if (installed === undefined || family === undefined)
    throw new Error('Start this by `npm run test:lowest`.');
  return { framework, family, installed };
}
