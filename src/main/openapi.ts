/** The OpenAPI document of this program: the operations that its doors mount, each with the examples of its help. */
import { join } from 'node:path';
import { inputOfLine } from '../interfaces/cli/line.ts';
import { openApiDocument } from '../interfaces/http/openapi.ts';
import type { OperationDescription } from '../kernel/pure/operations.ts';
import { defaultConfig } from '../kernel/projects/settings.ts';
import { descriptions, nounSummaries, routeAliases } from './descriptions.ts';
import { packageVersion } from './package.ts';
import { hallStop } from '../features/hall/contract.ts';

export function openApi(port: number = defaultConfig.port): object {
  return openApiDocument({
    version: packageVersion(),
    port,
    operations: [...descriptions, hallStop].map((description) => ({
      description,
      examples: description.commandLine.examples.map((example) => exampleOf(description, example)),
    })),
    aliases: routeAliases,
    nouns: nounSummaries,
  });
}

/** Over HTTP there is no folder that the caller stands in. */
function exampleOf(description: OperationDescription, { line, does }: { line: string; does: string }) {
  const value = inputOfLine(description, line, (path) => join('/home/you/code', path.replace(/^~\/code\//, '')));
  return { summary: does, value };
}
