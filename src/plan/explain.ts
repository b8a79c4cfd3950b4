import { frozen } from '../schema/frozen.ts'
import type { AgentTool } from '../tool/agent-tool.ts'
import { checkOptions } from '../tool/check-given.ts'
import { checkEstimates } from '../tool/metadata.ts'
import { drawMermaid } from './draw-mermaid.ts'
import { drawTree } from './draw-tree.ts'
import { explainSteps } from './explain-steps.ts'
import type { ExplainedStep } from './explained-step.ts'
import { planFigures, type RecordedByTool, type RecordedFigures } from './plan-figures.ts'
import { survey } from './survey.ts'
import { checkOptionNames, optionNames } from '../tool/option-names.ts'

/** The options of `explain`. */
export interface ExplainOptions {
  /** Figures of real calls, such as `recordFigures` collects. They come before declared ones. */
  readonly figures?: RecordedByTool | undefined
}

const NAMES = optionNames<ExplainOptions>({ figures: true })

/** A plan to read: as data, as a tree for a terminal, and as a Mermaid diagram. */
export interface Explanation {
  /** The whole; its figures are the totals. */
  readonly root: ExplainedStep
  readonly text: string
  readonly mermaid: string
  /** The same as `text`. */
  readonly toString: () => string
  readonly toJSON: () => ExplainedStep
}

const inspect = Symbol.for('nodejs.util.inspect.custom')

/** The drawings are made when they are read. */
class PlanExplanation implements Explanation {
  readonly root: ExplainedStep

  constructor(root: ExplainedStep) {
    this.root = root
  }

  get text(): string {
    return drawTree(this.root)
  }
  get mermaid(): string {
    return drawMermaid(this.root)
  }
  readonly toString = (): string => this.text
  readonly toJSON = (): ExplainedStep => this.root;
  [inspect](): string {
    return this.text
  }
}

/**
 * Shows the parts of a tool, and the time, cost and reliability of every step and of the whole, and where each figure comes
 * from. Print it, or draw it with Mermaid.
 * @example
 * const plan = explain(refund)
 * console.log(plan.root.parts.map(({ label }) => label)) // [ 'orders', 'issueRefund' ]
 */
export function explain(tool: AgentTool, options: ExplainOptions = {}): Explanation {
  checkOptionNames(options, NAMES, 'The options of explain')
  const { figures } = options
  if (figures !== undefined) checkFigures(figures)
  const plan = survey(tool)
  return new PlanExplanation(frozen(explainSteps(plan.root, planFigures(plan, figures))))
}

/** Figures may come from a file or a database: a figure that cannot be added up is a configuration error. */
function checkFigures(figures: RecordedByTool): void {
  checkOptions(figures, "'figures' of explain")
  const entries: Iterable<[string, RecordedFigures]> = figures instanceof Map ? figures : Object.entries(figures)
  for (const [key, each] of entries) checkEstimates(each, `'${key}' in the figures of explain`, ['calls'])
}
