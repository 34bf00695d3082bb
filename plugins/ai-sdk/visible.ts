import type { Telemetry, TelemetryOptions } from 'ai';
import { tap } from './tap.js';

/**
 * Options of a call under which the tap is heard: integrations of the call's own would replace those of the process, and
 * telemetry that is switched off would hear nothing. Everybody else hears what they would have heard.
 */
export function visible(telemetry: TelemetryOptions | undefined): TelemetryOptions | undefined {
  if (!telemetry) return telemetry;
  const { isEnabled, integrations } = telemetry;
  if (isEnabled === false) return { ...telemetry, isEnabled: true, integrations: [tap] };
  if (integrations === undefined) return telemetry;
  const all: readonly Telemetry[] = Array.isArray(integrations) ? integrations : [integrations];
  return all.includes(tap) ? telemetry : { ...telemetry, integrations: [...all, tap] };
}
