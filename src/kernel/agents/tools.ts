/** A tool that the hall gives to an agent. */
import { z } from 'zod';

export interface ToolOutcome {
  /** What the model reads. */
  readonly text: string;
  readonly isError?: boolean;
}

export interface Tool<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** lower_snake_case; unique within the set given to one agent. */
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** Fields of the input. Strict: unknown fields are refused. */
  readonly input: Shape;
  /** Runs the tool on checked input. A thrown `HallError` reaches the model as an error with its hint. */
  readonly run: (input: z.infer<z.ZodObject<Shape>>) => Promise<ToolOutcome>;
}

/** Keeps the types of the input while forgetting them for the list that holds tools of every shape. */
export function defineTool<Shape extends z.ZodRawShape>(tool: Tool<Shape>): Tool {
  return tool as unknown as Tool;
}
