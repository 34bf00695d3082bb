/** An unsafe run of 6 turns, exactly found at step 3, as the released harness writes it. */
export function perSampleRow(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    conv_id: 'math_0001_unsafe',
    domain: 'math',
    label: 'unsafe',
    gt_step: 3,
    pred_step: 3,
    pred_agent: 'Solver',
    pred_reason: 'wrong sum',
    format_valid: true,
    detection_step: 3,
    num_turns: 6,
    num_calls: 4,
    gen_time_s: 10,
    raw_response: '<answer>…</answer>',
    step_correct: true,
    ...fields,
  };
}

export function perSampleConfig(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { _record_type: 'config', model: 'tiny', paper_test_split: true, timeout_seconds: 120, ...fields };
}
