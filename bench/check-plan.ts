import { type AgentTool, above, branch, parallel, tool, ToolPipeline } from 'toolwright'
import { z } from 'zod'

const UNITS = 110
const UNITS_IN_GROUP = 13

export interface CheckPlan {
  readonly whole: AgentTool
  readonly schemas: ReadonlySet<z.ZodType>
}

/** A thousand tools in four storeys with several hundred schemas, none of which has been described yet. */
export function checkPlan(): CheckPlan {
  const schemas = new Set<z.ZodType>()
  const groups = Array.from({ length: Math.ceil(UNITS / UNITS_IN_GROUP) }, (_, group) => {
    const shared: Shared = { request: request(group), decided: decided(group) }
    const size = Math.min(UNITS_IN_GROUP, UNITS - group * UNITS_IN_GROUP)
    const units = Array.from({ length: size }, (_unit, number) => unit(`${group}_${number}`, shared, schemas))
    return row(`group_${group}`, units)
  })
  return { whole: row('whole', groups), schemas }
}

/** What the tools of one group have in common. */
interface Shared {
  readonly request: z.ZodType
  readonly decided: ReturnType<typeof decided>
}

/** Nine tools: a pipeline of a step, two side by side, a step, and a choice between two. It takes a request and gives one. */
function unit(id: string, { request, decided }: Shared, schemas: Set<z.ZodType>): AgentTool {
  const own = { priced: priced(id), risk: risk(id), stock: stock(id), assessed: assessed(id) }
  for (const each of [request, decided, ...Object.values(own)]) schemas.add(each)
  const side = parallel(
    {
      risk: leaf(`risk_${id}`, { takes: own.priced, gives: own.risk }),
      stock: leaf(`stock_${id}`, { takes: own.priced, gives: own.stock }),
    },
    { name: `assess_${id}` },
  )
  const settle = branch(
    {
      name: `settle_${id}`,
      description: 'Carries the verdict out.',
      inputSchema: decided,
      otherwise: leaf(`refuse_${id}`, { takes: decided, gives: request }),
    },
    [above('score', 0.5, leaf(`pay_${id}`, { takes: decided, gives: request }))],
  )
  return row(`unit_${id}`, [
    leaf(`price_${id}`, { takes: request, gives: own.priced }),
    side,
    leaf(`decide_${id}`, { takes: own.assessed, gives: decided }),
    settle,
  ])
}

function row(name: string, [first, ...rest]: readonly AgentTool[]): AgentTool {
  if (first === undefined) throw new Error('A row needs a tool.')
  return ToolPipeline.of(name, 'One after the other.', first, ...rest)
}

interface Leaf {
  readonly takes: z.ZodType
  readonly gives: z.ZodType
}

/** Nothing is ever run: a plan is checked by what its tools say of themselves. */
function leaf(name: string, { takes, gives }: Leaf): AgentTool<unknown, unknown> {
  return tool({
    name,
    description: `Does the part ${name}.`,
    inputSchema: takes,
    outputSchema: gives,
    effect: 'read',
    estimates: { latencyMs: 20, p99Ms: 90, reliability: 0.999 },
    execute: () => {
      throw new Error('This tool is for checking only.')
    },
  })
}

const request = (group: number) =>
  z.object({
    id: z.string().min(1).describe(`A number of group ${group}`),
    customer: z.object({ email: z.email(), name: z.string().max(80), tags: z.array(z.string()) }),
    kind: z.enum(['order', 'refund', 'question']),
    amount: z.number().min(0),
    note: z.string().optional(),
  })

const decided = (group: number) =>
  z.object({ id: z.string().min(1), score: z.number().min(0), verdict: z.enum(['pay', 'refuse']), by: z.literal(`group_${group}`) })

const priced = (id: string) =>
  z.object({
    id: z.string().min(1),
    lines: z.array(z.object({ sku: z.string(), quantity: z.number().int().min(1), price: z.number().min(0) })).describe(`Lines of ${id}`),
    currency: z.enum(['EUR', 'GBP', 'USD']),
    total: z.number().min(0),
  })

const risk = (id: string) =>
  z.object({ level: z.enum(['low', 'high']), score: z.number().min(0).max(1), [`reason_${id}`]: z.string().optional() })

const stock = (id: string) =>
  z.object({ [`warehouse_${id}`]: z.object({ city: z.string(), left: z.number().int().min(0) }), since: z.iso.datetime() })

const assessed = (id: string) =>
  z.object({
    risk: z.object({ level: z.enum(['low', 'high', 'unknown']), score: z.number() }),
    stock: z.object({ [`warehouse_${id}`]: z.object({ city: z.string(), left: z.number().int() }), since: z.string() }),
  })
