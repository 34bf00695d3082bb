import langGraph from '@langchain/langgraph/package.json' with { type: 'json' };
import langChain from 'langchain/package.json' with { type: 'json' };

// What differs between the supported versions, for the tests that state both sides; docs/decisions/0006 has the list.

/** A graph whose stream is left stops, and its end is told. In older versions it runs on to its own end. */
export const stopsWhenStreamIsLeft = isAtLeast(langGraph.version, '1.7.3');

/** `ToolNode` lets a halt pass. An older one answers the model's call with it, as createAgent's does in every version. */
export const toolNodePassesHalt = isAtLeast(langGraph.version, '1.7.0');

/** A sub-graph can be taken up at a checkpoint of its own. An older one starts over from what it was first given. */
export const subGraphGoesBack = isAtLeast(langGraph.version, '1.5.0');

/** An agent with callbacks of its own, called inside a graph, is still told of as a part of it. */
export const agentKeepsCaller = isAtLeast(langChain.version, '1.5.12');

/** What createAgent answers for a tool that failed, or was called wrongly, is marked as an error. */
export const marksFailedCalls = isAtLeast(langChain.version, '1.5.14');

/** `toolErrorMiddleware` exists. */
export const hasToolErrorMiddleware = isAtLeast(langChain.version, '1.5.4');

function isAtLeast(version: string, least: string): boolean {
  return version.localeCompare(least, 'en', { numeric: true }) >= 0;
}
