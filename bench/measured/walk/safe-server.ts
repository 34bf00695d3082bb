/** A model server that finds everything safe, at once, in a process of its own. Says its port to its parent. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const REPLY = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: 'safe',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content:
          '<think>Nothing stands out.</think><answer>{"answer": "SAFE", "agent": null, "reason": null}</answer>',
      },
      finish_reason: 'stop',
      logprobs: null,
    },
  ],
  usage: {
    prompt_tokens: 1_000,
    completion_tokens: 30,
    total_tokens: 1_030,
    prompt_tokens_details: { cached_tokens: 900 },
  },
});
const HEADERS = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(REPLY) };

const server = http.createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200, HEADERS).end(REPLY));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
