import { Annotation, END, START, StateGraph } from '@langchain/langgraph'
import { BRANCHES, type Input, type Job, type PeerRuns, STEPS } from '../peer-job.ts'

/** A graph of ten nodes in a row, and one of a hundred nodes between start and end. Each node checks what it is given. */
export function build({ schema, pass }: Job): PeerRuns {
  const State = Annotation.Root({ name: Annotation<string>, count: Annotation<number> })
  const Gathered = Annotation.Root({
    given: Annotation<Input>,
    values: Annotation<readonly Input[]>({ reducer: (values, more) => [...values, ...more], default: () => [] }),
  })

  const row = new StateGraph(State).addSequence(
    STEPS.map((name) => [name, async (state: Input) => await pass(schema.parse(state))] as const),
  )
  const ten = row
    .addEdge(START, STEPS[0] ?? '')
    .addEdge(STEPS.at(-1) ?? '', END)
    .compile()

  const fan = new StateGraph(Gathered).addNode(
    Object.fromEntries(
      BRANCHES.map((name) => [name, async ({ given }: { given: Input }) => ({ values: [await pass(schema.parse(given))] })]),
    ),
  )
  for (const name of BRANCHES) fan.addEdge(START, name).addEdge(name, END)
  const hundred = fan.compile()
  return {
    pipe: (given) => ten.invoke(given),
    parallel: async (given) => (await hundred.invoke({ given })).values,
  }
}
