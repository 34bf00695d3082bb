/**
 * Strings that some model family's tokenizer takes for a control token wherever they stand, so that an agent could end
 * its own turn or open a system message by writing one. They are known by shape, since lists of names age:
 * - `<|im_start|>` `<|eot_id|>` `<|endoftext|>` (Qwen, Llama 3, Phi, gpt-oss …), `<｜User｜>` with a full-width bar (DeepSeek)
 * - `<s>` `</s>` `<<SYS>>` `<start_of_turn>` `<bos>` `<think>` `<tool_call>` `<unused7>` `<extra_id_0>` (Llama 2, Gemma, T5 …)
 * - `[INST]` `[/INST]` `[TOOL_CALLS]` `[control_8]` `[gMASK]` `[CLS]` (Mistral, GLM, BERT)
 * - `]~b]` `]~!b[` `[e~[` (MiniMax)
 */
const CONTROL =
  /<[|｜]|<(?=[^\s<>"'=\\]{1,64}>)|\[(?=\/?(?:[A-Z][A-Z_]*|control|[a-z]MASK)(?:_\d+)?\])|(?<=\])~|(?<=\[e)~/g;

/** Breaks control tokens in JSON text by a JSON escape, which reads back as the same string: `<|` becomes `<\u007c`. */
export function withoutControlTokens(json: string): string {
  return json.replace(CONTROL, (found) =>
    found.length === 2 ? `<${escaped(found.slice(1))}` : escaped(found),
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
