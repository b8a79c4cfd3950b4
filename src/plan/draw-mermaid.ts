import { durationText } from '../tool/duration-text.ts'
import { printable } from '../tool/printable.ts'
import { approvalNote, type ExplainedStep, stepTitle } from './explained-step.ts'
import { markedFigure, shareText } from './marked-figure.ts'

const CLASSES = [
  'classDef read fill:#e8f1fb,stroke:#3b6ea5,color:#12263a',
  'classDef write fill:#fdf3dc,stroke:#b7791f,color:#3d2a06',
  'classDef irreversible fill:#fde8e6,stroke:#b3362c,color:#3f0f0b',
  'classDef gate fill:#efe8fb,stroke:#6b46a8,color:#26164a',
]

/** Draws a plan as a Mermaid flowchart. Ids are generated; texts of tools are escaped and in quoted labels. */
export function drawMermaid(root: ExplainedStep): string {
  const lines: string[] = ['flowchart TD']
  let count = 0
  const nextId = (): string => `n${count++}`
  drawStep(root, { lines, nextId, indent: '  ' })
  return [...lines, ...CLASSES.map((each) => `  ${each}`)].join('\n')
}

interface Page {
  readonly lines: string[]
  readonly nextId: () => string
  readonly indent: string
}

/** Where arrows to a step end, and where those from it begin. */
interface Drawn {
  readonly enter: string
  readonly leave: string
}

function drawStep(step: ExplainedStep, page: Page): Drawn {
  const { lines, indent } = page
  const id = page.nextId()
  if (step.parts.length > 0) drawCompound(step, id, page)
  else {
    const [open, close] = step.leftOut === undefined ? ['[', ']'] : ['[[', ']]']
    lines.push(`${indent}${id}${open}"${labelOf(step)}"${close}:::${step.effect}`)
  }
  if (!step.gated) return { enter: id, leave: id }
  lines.push(`${indent}${id}_gate{{"${escaped(approvalNote(step.conditions))}"}}:::gate`, `${indent}${id}_gate --> ${id}`)
  return { enter: `${id}_gate`, leave: id }
}

function drawCompound(step: ExplainedStep, id: string, page: Page): void {
  const { lines, indent } = page
  const inside = { ...page, indent: `${indent}  ` }
  lines.push(`${indent}subgraph ${id}["${labelOf(step)}"]`)
  const needsEntry = step.parts.some((part, index) => comesFromEntry(step, part, index))
  if (needsEntry) lines.push(`${inside.indent}${id}_in(("input"))`)
  let before: Drawn | undefined
  const drawnByLabel = new Map<string, Drawn>()
  step.parts.forEach((part, index) => {
    const drawn = drawStep(part, inside)
    const undone = part.undoes === undefined ? undefined : drawnByLabel.get(part.undoes)
    if (undone !== undefined) {
      lines.push(`${inside.indent}${undone.leave} -.->|"undone by"| ${drawn.enter}`)
      return
    }
    drawnByLabel.set(part.label, drawn)
    if (step.order === 'sequence' && before !== undefined)
      lines.push(`${inside.indent}${before.leave} -->${edgeLabel(part)} ${drawn.enter}`)
    else if (comesFromEntry(step, part, index)) {
      lines.push(`${inside.indent}${id}_in ${part.takes === 'unknown' ? '-.->' : '-->'}${edgeLabel(part)} ${drawn.enter}`)
    }
    before = drawn
  })
  lines.push(`${indent}end`)
}

/** The first step of a sequence needs no arrow, unless the arrow has a text. */
function comesFromEntry({ order }: ExplainedStep, part: ExplainedStep, index: number): boolean {
  return order !== 'sequence' || (index === 0 && edgeLabel(part) !== '')
}

function edgeLabel({ adapter, when, takes }: ExplainedStep): string {
  const words = [
    ...(when === undefined ? [] : [`when ${when}`]),
    ...(takes === 'item' ? ['each item'] : []),
    ...(adapter === undefined ? [] : [`adapter ${adapter}`]),
  ]
  return words.length === 0 ? '' : `|"${escaped(words.join(', '))}"|`
}

function labelOf(step: ExplainedStep): string {
  const { latencyMs, reliability } = step.figures
  const figures = [
    ...(latencyMs.value === undefined ? [] : [markedFigure(latencyMs, durationText, '≥')]),
    ...(reliability.value === undefined ? [] : [`reliability ${markedFigure(reliability, shareText, '≤')}`]),
  ]
  const second = step.leftOut === 'cycle' ? 'a part of itself' : step.leftOut === 'size' ? 'its parts are not shown' : figures.join(', ')
  return [stepTitle(step), ...(second === '' ? [] : [second])].map(escaped).join('<br/>')
}

/**
 * All but letters, digits and a few harmless signs is written as a character code: quotes would end the label, `%%{` would begin a
 * directive, `<` markup, and a line that begins like a list would be taken for one.
 */
function escaped(text: string): string {
  return printable(text).replace(/[.-](?=\s|$)|[^\p{L}\p{N}\p{M} _.,'()/=?≥≤-]/gu, (character) => `#${String(character.codePointAt(0))};`)
}
