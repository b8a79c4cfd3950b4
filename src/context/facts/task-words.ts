const STOP = new Set(
  'a an and are as at be been but by can could did do does for from had has have how if in into is it its list many me more most much my no not of on one only or our out over show tell than that the their them then there these they this those to up us was we were what when where which who whom whose why will with would you your find get give please'.split(
    ' ',
  ),
)

/** A word that says nothing of what a text is about. */
export function isStopWord(word: string): boolean {
  return STOP.has(word.toLowerCase())
}

/** The words of a text that say what it is about: split at capitals and marks, in small letters, with light stems. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const [word] of text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .matchAll(/[\p{L}\d]+/gu)) {
    if (word.length >= 2 && !STOP.has(word)) words.push(stem(word))
  }
  return words
}

function stem(word: string): string {
  if (word.length < 5 || /\d/.test(word)) return word
  return word
    .replace(/(?:ies)$/, 'y')
    .replace(/(?:sses)$/, 'ss')
    .replace(/(?<!s|u|i)s$/, '')
    .replace(/(?:ing|ed)$/, (end) => (word.length > end.length + 3 ? '' : end))
}

/** What the model is asked to do, as far as words can say how near a text comes to it. */
export class TaskWords {
  readonly words: ReadonlySet<string>

  constructor(task = '') {
    this.words = new Set(wordsOf(task.slice(0, 4000)))
  }

  /** The words of the task that stand in a text, each once. */
  hitsIn(text: string): readonly string[] {
    if (this.words.size === 0) return []
    return [...new Set(wordsOf(text.slice(0, 2000)).filter((word) => this.words.has(word)))]
  }

  hits(text: string): number {
    return this.hitsIn(text).length
  }
}
