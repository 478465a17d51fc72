/** Words that say nothing of what a text is about: no tag, and no reason to remember. In small letters. Pure. */
export const stopWords: ReadonlySet<string> = new Set(
  'about above after again agreed also because been before being between both cannot could council decide decided decision does done down each else ever every from have having held here hold into itself just keep like make many meeting more most much must need next only other over same shall should since some such take than that their them then there these they this those through under until upon used using very want well were what when where whether which while whom whose will with within without would your'.split(
    ' ',
  ),
);
