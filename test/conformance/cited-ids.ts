import { type Expression, parseSync, Visitor } from 'oxc-parser'

/** `law` is what tests call their own wrapper around a property. */
const DECLARERS = ['test', 'it', 'describe', 'law']

/** The ids in brackets, such as `[T14]` or `[T8, T14]`, in the titles of the tests of one file. */
export function citedIds(file: string, text: string): readonly string[] {
  const ids: string[] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (title === undefined || !DECLARERS.includes(rootName(callee))) return
      const words = text.slice(title.start, title.end)
      if (/^['"`]/.test(words)) ids.push(...idsIn(words))
    },
  })
  visitor.visit(parseSync(file, text).program)
  return ids
}

function idsIn(words: string): readonly string[] {
  return Array.from(words.matchAll(/\[([A-Z]\d+(?:, ?[A-Z]\d+)*)\]/g), ([, list = '']) => list.split(/, ?/)).flat()
}

/** The first name of `test`, `test.each(...)` and the like. */
function rootName(callee: Expression): string {
  if (callee.type === 'Identifier') return callee.name
  if (callee.type === 'MemberExpression') return rootName(callee.object)
  if (callee.type === 'CallExpression') return rootName(callee.callee)
  return callee.type === 'TaggedTemplateExpression' ? rootName(callee.tag) : ''
}
