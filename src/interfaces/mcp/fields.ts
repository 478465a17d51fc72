/** The fields of an operation's input as tools name them: `baseRevision` is `base_revision`; both are taken. */
import { fieldsOf, type InputField } from '../../kernel/operations/fields.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { OperationDescription } from '../../kernel/pure/operations.ts';

export interface ToolFields {
  readonly list: readonly InputField[];
  /** A tool's name of a field → the operation's. */
  readonly bySnake: ReadonlyMap<string, string>;
}

export function toolFieldsOf(description: Pick<OperationDescription, 'input'>): ToolFields {
  const list = fieldsOf(description);
  return { list, bySnake: new Map(list.map(({ name }) => [snakeOf(name), name])) };
}

export function snakeOf(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/**
 * A tool's input as the operation takes it. What is no field is left for its schema to refuse.
 * @throws HallError `invalid` for a field that was given in both forms
 */
export function inputOfTool(fields: ToolFields, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const field = fields.bySnake.get(name) ?? name;
    if (Object.hasOwn(input, field)) {
      throw fail('invalid', `"${snakeOf(field)}" was given twice.`, 'Leave one of them out.');
    }
    Object.defineProperty(input, field, { value, enumerable: true, configurable: true, writable: true });
  }
  return input;
}
