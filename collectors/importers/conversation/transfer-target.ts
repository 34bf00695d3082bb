import type { ToolCall } from '../../../core/index.js';
import { isObject } from '../json-object.js';

const TRANSFER = /^transfer(?:_back)?_to_(.+)$/;

/** `tester` for a call of `transfer_to_tester` that says nothing else; `transfer_to_account({amount: 42})` is a tool. */
export function transferTarget({ name, args }: ToolCall): string | undefined {
  return isObject(args) && Object.keys(args).length === 0 ? TRANSFER.exec(name)?.[1] : undefined;
}
