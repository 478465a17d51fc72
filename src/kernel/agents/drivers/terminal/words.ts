/** Messages as programs of agents are told them: as words, whatever they begin with. Pure. */

/** Signs that begin a command to one of them or another: of its own, of the shell, a file to be read, a mode. */
const beginsLikeCommand = /^\s*[/!#@&?$\\:>{;%]/;

/** With a line before what may be taken for a command, as there is one before what other agents say. */
export function asWords(text: string): string {
  return beginsLikeCommand.test(text) ? `Message:\n\n${text}` : text;
}

/** Also for a program that reads the file behind every `@`, wherever it stands. */
export function asWordsWithoutFiles(text: string): string {
  return asWords(text).replaceAll(/(?<!\\)@/g, '\\@');
}
