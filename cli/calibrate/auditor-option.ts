import {
  type Auditor,
  auditorName,
  createAuditor,
  everyTurn,
  readAuditorConfig,
  signalsAuditor,
} from '../../core/index.js';

/** Who `--auditor` names: `signals`, with scores, or the auditor of a configuration's file. @throws InputError */
export async function auditorNamed(option: string): Promise<Auditor> {
  if (option === 'signals') return signalsAuditor({ scored: true });
  return createAuditor(await readAuditorConfig(option));
}

/** The same auditor, wanting to be asked at every turn. Thresholds made so keep their promise under any schedule. */
export function askedAtEveryTurn(auditor: Auditor): Auditor {
  return {
    name: auditorName(auditor),
    schedule: everyTurn(),
    audit: (request, options) => auditor.audit(request, options),
    asksInPart: (prefix) => auditor.asksInPart?.(prefix) ?? false,
  };
}
