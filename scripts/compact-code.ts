import { type Plugin, RolldownMagicString } from 'rolldown'
import { type ESTree, minifySync, parseSync, Visitor } from 'rolldown/utils'

/** For those who read a stack. */
const KEPT = { function: true, class: true }

/** Half of the time of an import is the reading of its text. */
const withoutWhitespace: Plugin = {
  name: 'without-whitespace',
  renderChunk: (code, { fileName }) => {
    const {
      code: small,
      map,
      errors,
    } = minifySync(fileName, code, {
      module: true,
      // Statements stay statements: each has a line.
      compress: { target: 'es2023', keepNames: KEPT, sequences: false, joinVars: false },
      mangle: { keepNames: KEPT },
      codegen: { removeWhitespace: true, asciiOnly: true },
      sourcemap: true,
    })
    if (map === undefined || errors.length > 0) throw new Error(`${fileName} could not be made smaller: ${JSON.stringify(errors)}`)
    return { code: small, map }
  },
}

/**
 * A line for each statement and each member: Node prints the line of an uncaught error, which would otherwise be the whole file. Breaks stand only
 * where one of these begins, so that they mean nothing to the language. Texts are in quotes again, since not every tool that looks for imports
 * finds them in backticks.
 */
const aLineForEach: Plugin = {
  name: 'a-line-for-each',
  renderChunk: (code, { fileName }) => {
    const { program, errors } = parseSync(fileName, code)
    if (errors.length > 0) throw new Error(`${fileName} cannot be read: ${JSON.stringify(errors)}`)
    const { lines, texts } = placesIn(program)
    const changed = new RolldownMagicString(code, { filename: fileName })
    for (const start of lines) changed.appendLeft(start, '\n')
    for (const { start, end } of texts) changed.update(start, start + 1, '"').update(end - 1, end, '"')
    return { code: changed.toString(), map: changed.generateMap({ hires: true, source: fileName }).toString() }
  },
}

interface Places {
  /** Where lines begin. */
  readonly lines: ReadonlySet<number>
  /** Texts in backticks that need none. */
  readonly texts: readonly ESTree.Span[]
}

function placesIn(program: ESTree.Program): Places {
  const lines = new Set<number>()
  const tagged = new Set<ESTree.Node>()
  const texts: ESTree.Span[] = []
  const each = (nodes: readonly ESTree.Span[]): void => {
    for (const { start } of nodes) if (start > 0) lines.add(start)
  }
  new Visitor({
    Program: ({ body }) => each(body),
    BlockStatement: ({ body }) => each(body),
    StaticBlock: ({ body }) => each(body),
    SwitchStatement: ({ cases }) => each(cases),
    SwitchCase: ({ consequent }) => each(consequent),
    ClassBody: ({ body }) => each(body),
    ObjectExpression: ({ properties }) => each(properties),
    TaggedTemplateExpression: ({ quasi }) => void tagged.add(quasi),
    TemplateLiteral: (text) => {
      const [only, more] = text.quasis
      if (only !== undefined && more === undefined && !tagged.has(text) && /^[^"\\\r\n]*$/.test(only.value.raw)) texts.push(text)
    },
  }).visit(program)
  return { lines, texts }
}

/** Makes the code of each chunk small, and keeps it readable where somebody has to read it. */
export const compactCode: readonly Plugin[] = [withoutWhitespace, aLineForEach]
