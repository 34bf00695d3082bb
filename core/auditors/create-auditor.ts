import { alsoOnSignals } from '../also-on-signals.js';
import { type Environment, keyIn } from '../api-key.js';
import { type Auditor, auditorName } from '../auditor.js';
import { everyNth } from '../every-nth.js';
import { portableSchedule } from '../portable-schedule.js';
import { everyTurn, type Schedule } from '../schedule.js';
import type { AuditorConfig, ChatConfig, ScheduleConfig } from './auditor-config.js';
import { cascade } from './cascade.js';
import { replyRoom } from './chat/reply-room.js';
import { chatAuditor } from './chat-auditor.js';
import { majority } from './majority.js';
import { appendOnlyLayout } from './prompt/append-only-layout.js';
import type { PromptLayout } from './prompt/prompt-layout.js';
import { publishedLayout } from './prompt/published-layout.js';
import { shadow } from './shadow.js';
import { signalsAuditor } from './signals-auditor.js';

/**
 * The auditor that a configuration describes; the one place that knows which factory makes which kind.
 * @throws SetupError when a variable that it names is not set, or a factory refuses an option
 */
export function createAuditor(config: AuditorConfig, env: Environment = process.env): Auditor {
  const auditor = ofKind(config, env);
  const { name, schedule } = config;
  if (name === undefined && schedule === undefined) return auditor;
  const wish = schedule === undefined ? auditor.schedule : scheduleOf(schedule);
  return {
    name: name ?? auditorName(auditor),
    ...(wish && { schedule: wish }),
    audit: (request, options) => auditor.audit(request, options),
    asksInPart: (prefix) => auditor.asksInPart?.(prefix) ?? false,
  };
}

function ofKind(config: AuditorConfig, env: Environment): Auditor {
  const made = (part: AuditorConfig) => createAuditor(part, env);
  switch (config.kind) {
    case 'signals': {
      const { kind, name, schedule, ...options } = config;
      return signalsAuditor(options);
    }
    case 'chat':
      return chatOf(config, env);
    case 'cascade':
      return cascade(config.stages.map(made), { continueBelow: config.continueBelow });
    case 'majority':
      return majority(config.auditors.map(made));
    case 'shadow':
      return shadow(made(config.primary), made(config.candidate), { sampleRate: config.sampleRate });
  }
}

/** Called by its model: the name that tells auditors apart in logs and reports. */
function chatOf(config: ChatConfig, env: Environment): Auditor {
  const { kind, name, schedule, apiKeyEnv, layout, contextTokens, turnTokens, ...options } = config;
  return chatAuditor({
    name: `chat ${config.model}`,
    ...options,
    layout: layoutOf(config),
    apiKey: apiKeyEnv === undefined ? undefined : keyIn(env, apiKeyEnv),
  });
}

function layoutOf({ layout, contextTokens, turnTokens, maxReplyTokens }: ChatConfig): PromptLayout {
  if (layout === 'published') return publishedLayout();
  return appendOnlyLayout({
    ...(contextTokens !== undefined && { contextTokens }),
    ...(turnTokens !== undefined && { turnTokens }),
    replyTokens: replyRoom(maxReplyTokens),
  });
}

function scheduleOf(config: ScheduleConfig): Schedule {
  if (typeof config === 'string') return named(config);
  const schedule = 'base' in config ? named(config.base) : everyNth(config.everyNth);
  return config.signals ? alsoOnSignals(schedule) : schedule;
}

function named(name: 'portable' | 'every-turn'): Schedule {
  return name === 'portable' ? portableSchedule() : everyTurn();
}
