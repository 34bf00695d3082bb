import { memoryRecorder } from './recorders/memory-recorder.js';
import { createRuntime, type Runtime } from './runtime.js';
import { Trajectory } from './trajectory.js';
import type { TurnInput } from './turn.js';

/** For a {@link Replayer}: hooks a host so that what it says is taken down, and nobody judges it. */
export function replayRuntime(): { readonly runtime: Runtime; said(): Promise<readonly TurnInput[]> } {
  const recorder = memoryRecorder();
  const auditor = { audit: async () => ({ kind: 'continue' as const }) };
  const runtime = createRuntime({ auditor, recorder, schedule: { due: () => false }, onAlarm: 'observe' });
  return {
    runtime,
    /** In final order; what the host was given, because it had been said before, is left out. */
    async said() {
      await runtime.flush();
      const trajectory = new Trajectory();
      for (const record of recorder.records)
        if (record.type === 'turn' && record.turn.given !== true) trajectory.append(record.turn);
      return trajectory.turns().map(({ index: _index, path: _path, ...turn }) => turn);
    },
  };
}
