import { expect, test } from 'vitest'
import { MISSPELLERS } from './misspelt-options.ts'
import { optionPlaces } from './option-places.ts'

/** The package makes these; a program passes them as they are, or calls their methods. */
const MADE = new Set(
  [
    'Agent AgentTool AiSdkBridge AiSdkReviews Dialect Explanation FakeClock Filled Inbox Into Join LostContextDetector McpHandler MemoryRuns NamedPipe Rule Resolution Source',
    'OpenStore Pipe PipelineBuilder PipelineFactory PipelineStart Reference RunHandle RunRecord Runs Runtime SagaBuilder SagaStart Store',
    'Catalog ContextMemory OutputRouter RoutedConversation ToolContext ToolError ToolFailure ToolResolution ToolSuccess Trace',
  ].flatMap((line) => line.split(' ')),
)

/** Implementations of the program, which may have members of their own, and data that the package gives to a program or has recorded. */
const GIVEN = new Set(
  [
    'Clock IdempotencyStore Journal Logger McpAuth McpProtectedResource McpResources Model Observer OpeningRunStore PeerTools Principal ReviewHandler ReviewInput ReviewOutput',
    'Backoff BreakerStore LimitStore RunDatabase RunStore SecretsProvider StandardSchema Waits RepairRequest RepairContext RuleGiven ArbiterQuestion SourceOutput Validation',
    'CallFinished CallInfo CallProgressed CallRetried CallStarted ClassifierContext FiguresRecorder Finding MetricRecorded PendingRun',
    'ReviewDecided ReviewRequest ReviewRequested ReviewVote RouteDescription CallEntry DecisionEntry ReviewEntry SleepEntry',
    'SearchProvider SearchDocument LangChainToolLike FunctionToolLike LanguageModelLike MemoryStore OutputStore Provenance StoredOutput ToolsAtHand TraceStore EmbeddingModelLike',
  ].flatMap((line) => line.split(' ')),
)

const WARNED = 'The failure that it tells is kept. The developer is warned, and an outcome that is not named counts as unknown.'
const LATE = 'It is made while or after a tool works: to refuse it would lose work that is done, or hide the failure that it tells.'
const MORE = 'Any object with these members is taken, such as a tool or a handler.'

/** Places where other names are let through, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'AgentTool.execute(options)': 'A peer framework passes options of its own.',
  'CheckOptions.review': MORE,
  'Catalog.visible(viewer)': MORE,
  'Catalog.named(viewer)': MORE,
  'Catalog.visibleNames(viewer)': MORE,
  'Catalog.tree(viewer)': MORE,
  'Catalog.browse(viewer)': MORE,
  'catalog(options).vectors': MORE,
  'McpSelectOptions.vectors': MORE,
  'policyGate()(call)': 'The runtime calls it.',
  'PolicyGateOptions.rates[]': 'The rules of `limit` check it.',
  'activeTools()(step)': 'The AI SDK calls it, with more than these.',
  'PreparedStep.messages[]': 'The AI SDK calls it, with more than these.',
  'PreparedStep.steps[]': 'The AI SDK calls it, with more than these.',
  'PreparedStep.steps[].toolCalls[]': 'The AI SDK calls it, with more than these.',
  'argv(values)[]': 'What argv made.',
  'identityOf(options)': MORE,
  'allotStrict(tools)[]': MORE,
  'BasicKitOptions.clock': MORE,
  'DatetimeOptions.clock': MORE,
  'fill(mapping)': 'The names of a mapping are those of the input: the types and the schema of the tool know them.',
  'PipelineBuilder.mapping(mapping)': 'The names of a mapping are those of the input: the types and the schema of the tool know them.',
  'InboxError(decision)': 'A decision that was made.',
  'repairInput(hints)': 'Hints that are not read leave an input as it is.',
  'migrate(migrations)[]': 'A migration may carry more than its statements.',
  'BearerAuthOptions.jwks': 'A key set as its issuer publishes it.',
  'ToolContext.progress(report)': LATE,
  'ToolContext.usage(usage)': LATE,
  'ExitEarly(options)': LATE,
  'ToolError(options)': WARNED,
  'failure(options)': WARNED,
  'success(options)': LATE,
  'ReturnedSuccess(options)': LATE,
  'SuccessOptions.content[]': LATE,
  'SuccessOptions.issues[]': LATE,
}

const places = optionPlaces({ made: MADE, given: GIVEN })

test('every place for options in the public declarations is tried or excepted, and no other', () => {
  const known = new Set([...Object.keys(MISSPELLERS), ...Object.keys(EXCEPTIONS)])
  const untried = [...places.keys()].filter((place) => !known.has(place))
  const gone = [...known].filter((place) => !places.has(place))
  expect({ untried, gone }).toEqual({ untried: [], gone: [] })
})

test.each(Object.entries(MISSPELLERS))('a misspelt option of %s is refused, with the name that is meant', async (place, misspell) => {
  for (const name of places.get(place) ?? []) {
    const misspelt = `${name}${name.at(-1)}`
    const made = (async () => misspell({ [misspelt]: 1 }))()
    await expect(made, `${place}: ${misspelt}`).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringMatching(new RegExp(`have no '${misspelt}'\\. Did you mean [^?]*'${name}'`)),
    })
  }
})
