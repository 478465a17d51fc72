/** What an ACP agent may say, as far as the hall understands it. Agents are not trusted: every message is checked, and what is unknown in one is passed over. */
import { z } from 'zod';

/** Longest name, title, id that is taken over from an agent. */
const shortText = z.string().transform((text) => text.slice(0, 500));
const idText = z.string().min(1).max(500);
const meta = z.looseObject({}).nullish();

const contentBlock = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  name: z.string().nullish(),
  uri: z.string().nullish(),
});

const toolContent = z.looseObject({
  type: z.string(),
  content: contentBlock.optional(),
  path: z.string().optional(),
  oldText: z.string().nullish(),
  newText: z.string().optional(),
});

export const toolCallShape = z.looseObject({
  toolCallId: idText,
  title: shortText.nullish(),
  name: shortText.nullish(),
  kind: shortText.nullish(),
  status: z.string().nullish(),
  content: z.array(toolContent).nullish(),
  locations: z.array(z.looseObject({ path: z.string() })).nullish(),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  _meta: meta,
});

export type ToolCallWire = z.infer<typeof toolCallShape>;

const modesShape = z.looseObject({
  currentModeId: idText,
  availableModes: z.array(z.looseObject({ id: idText, name: shortText, description: shortText.nullish() })).max(200),
});

const optionShape = z.looseObject({ value: idText, name: shortText, description: shortText.nullish() });

/** In groups or not. */
const optionList = z
  .array(
    z.union([
      optionShape.transform((option) => [option]),
      z.looseObject({ options: z.array(optionShape) }).transform(({ options }) => options),
    ]),
  )
  .transform((groups) => groups.flat());

const configOption = z.looseObject({
  id: idText,
  name: shortText,
  category: z.string().nullish(),
  type: z.string(),
  currentValue: z.unknown().optional(),
  options: optionList.optional(),
});

/** Options that are taken over, of all choices together: with each change of one all are compared and told. */
const maxOptions = 1_000;

const configOptions = z
  .array(configOption)
  .max(200)
  .transform((config) => {
    let room = maxOptions;
    return config.map((option) => {
      const options = option.options?.slice(0, room);
      room -= options?.length ?? 0;
      return { ...option, options };
    });
  });

export type ModesWire = z.infer<typeof modesShape>;
export type ConfigOptionWire = z.infer<typeof configOption>;

/** What the answers to `session/new`, `load` and `resume` have in common. */
export const sessionStateShape = z.looseObject({
  modes: modesShape.nullish().catch(undefined),
  configOptions: configOptions.nullish().catch(undefined),
});

export const newSessionShape = sessionStateShape.extend({ sessionId: idText });

export const setConfigShape = z.looseObject({ configOptions });

export const initializeShape = z.looseObject({
  protocolVersion: z.unknown().optional(),
  agentCapabilities: z
    .looseObject({
      loadSession: z.boolean().optional(),
      promptCapabilities: z.looseObject({ image: z.boolean().optional() }).nullish(),
      mcpCapabilities: z.looseObject({ http: z.boolean().optional() }).nullish(),
      sessionCapabilities: z
        .looseObject({ resume: z.unknown().optional(), close: z.unknown().optional() })
        .partial()
        .nullish(),
    })
    .nullish(),
  agentInfo: z.looseObject({ name: shortText, version: shortText.optional() }).nullish(),
  authMethods: z
    .array(z.looseObject({ id: shortText, name: shortText, description: shortText.nullish() }))
    .nullish()
    .catch(undefined),
});

export const promptResponseShape = z.looseObject({
  stopReason: z.string(),
  usage: z
    .looseObject({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cachedReadTokens: z.number().nullish(),
      cachedWriteTokens: z.number().nullish(),
    })
    .nullish()
    .catch(undefined),
});

export const permissionShape = z.looseObject({
  sessionId: idText,
  toolCall: toolCallShape,
  options: z
    .array(
      z.looseObject({
        optionId: idText,
        name: shortText,
        kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
      }),
    )
    .min(1)
    .max(50),
});

export const updateShape = z.looseObject({
  sessionId: idText,
  update: z.discriminatedUnion('sessionUpdate', [
    z.looseObject({ sessionUpdate: z.literal('agent_message_chunk'), content: contentBlock, _meta: meta }),
    z.looseObject({ sessionUpdate: z.literal('agent_thought_chunk'), content: contentBlock, _meta: meta }),
    toolCallShape.extend({ sessionUpdate: z.literal('tool_call') }),
    toolCallShape.extend({ sessionUpdate: z.literal('tool_call_update') }),
    z.looseObject({
      sessionUpdate: z.literal('plan'),
      entries: z.array(z.looseObject({ content: z.string(), status: z.string() })).max(1_000),
    }),
    z.looseObject({
      sessionUpdate: z.literal('available_commands_update'),
      availableCommands: z
        .array(
          z.looseObject({
            name: shortText,
            description: shortText,
            input: z.looseObject({ hint: shortText.optional() }).nullish(),
          }),
        )
        .max(1_000),
    }),
    z.looseObject({ sessionUpdate: z.literal('current_mode_update'), currentModeId: idText }),
    z.looseObject({ sessionUpdate: z.literal('config_option_update'), configOptions }),
    z.looseObject({ sessionUpdate: z.literal('session_info_update'), title: shortText.nullish() }),
    z.looseObject({
      sessionUpdate: z.literal('usage_update'),
      used: z.number(),
      size: z.number(),
      cost: z.looseObject({ amount: z.number(), currency: z.string() }).nullish(),
    }),
  ]),
});

export type UpdateWire = z.infer<typeof updateShape>['update'];
