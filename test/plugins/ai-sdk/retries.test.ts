import { APICallError, generateText, NoOutputGeneratedError, streamText } from 'ai';
import { expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { AuditHaltError, withAuditor } from '../../../plugins/ai-sdk/index.js';
import { says, scriptedLanguageModel } from '../../contract/harnesses/scripted-language-model.js';
import { errorOf, strict, watched } from './audited.js';

/** Fails once, as a busy provider does; then says what is wrong. */
function busyOnce() {
  let asked = 0;
  const model = scriptedLanguageModel(() => {
    if (asked++ > 0) return says('wrong');
    throw new APICallError({
      message: 'busy',
      url: 'http://127.0.0.1',
      requestBodyValues: {},
      statusCode: 503,
      responseHeaders: { 'retry-after-ms': '1' },
      isRetryable: true,
    });
  });
  return { model, asked: () => asked };
}

test('a halt after a retry, which the SDK wraps in an error of its retries, is the halt still', async () => {
  const { runtime, told, outcomes } = watched({ auditor: strict() });
  const { model, asked } = busyOnce();
  const error = await errorOf(withAuditor(generateText, runtime)({ model, prompt: 'go' }));
  expect(error).toBeInstanceOf(AuditHalt);
  expect([asked(), told(), outcomes()]).toEqual([
    2,
    ['user, user: go', 'scripted, agent: wrong'],
    ['halted'],
  ]);
});

test('a stream that may be asked again is not, when halted', async () => {
  const { runtime, outcomes } = watched({ auditor: strict() });
  let asked = 0;
  const model = scriptedLanguageModel(() => {
    asked++;
    return says('wrong');
  });
  const onError = vi.fn();
  const result = withAuditor(
    streamText,
    runtime,
  )({ model, prompt: 'go', maxRetries: 5, streamRetries: 3, onError });
  expect(await errorOf(result.text)).toBeInstanceOf(AuditHalt);
  expect(asked).toBe(1);
  await vi.waitFor(() => expect(outcomes()).toEqual(['halted']));
});

test('the halt follows the SDK’s ways of telling errors apart', async () => {
  const { runtime } = watched({ auditor: strict() });
  const model = scriptedLanguageModel(() => says('wrong'));
  const error = await errorOf(withAuditor(generateText, runtime)({ model, prompt: 'go' }));
  expect(AuditHaltError.isInstance(error)).toBe(true);
  expect(NoOutputGeneratedError.isInstance(error)).toBe(true);
  expect(AuditHaltError.isInstance(new NoOutputGeneratedError())).toBe(false);
  expect(error).toMatchObject({
    name: 'AI_AuditHaltError',
    message: 'audit alarm at step 1 (scripted): it is wrong',
  });
});
