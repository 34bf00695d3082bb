import type { Auditor } from '../auditor.js';
import { SetupError } from '../errors.js';
import { portableSchedule } from '../portable-schedule.js';
import { everyTurn, type Schedule } from '../schedule.js';
import type { AuditorConfig, ScheduleConfig } from './auditor-config.js';
import { signalsAuditor } from './signals-auditor.js';

/** Where keys are looked up by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The auditor that a configuration describes; the one place that knows which factory makes which kind. @throws SetupError */
export function createAuditor(config: AuditorConfig, env: Environment = process.env): Auditor {
  const { name, schedule } = config;
  const auditor = ofKind(config, env);
  if (name === undefined && schedule === undefined) return auditor;
  const wish = schedule === undefined ? auditor.schedule : scheduleOf(schedule);
  return {
    name: name ?? auditor.name ?? config.kind,
    ...(wish && { schedule: wish }),
    audit: (request, options) => auditor.audit(request, options),
  };
}

function ofKind(config: AuditorConfig, _env: Environment): Auditor {
  switch (config.kind) {
    case 'signals': {
      const { alarmOn = [], stepBudget } = config;
      return signalsAuditor({ alarmOn, stepBudget });
    }
    case 'chat':
    case 'cascade':
    case 'majority':
    case 'shadow':
      throw new SetupError('auditor', `there is no factory for ${config.kind} yet`, 'Use signals');
  }
}

function scheduleOf(config: ScheduleConfig): Schedule {
  if (config === 'every-turn') return everyTurn();
  return portableSchedule();
}
