import { compared } from './door.ts'
import type { Benchmark } from './figure.ts'
import { peerVersions } from './install-peers.ts'
import { measureApart, type Sample } from './measure-apart.ts'
import { measureBytes, measureTime } from './measure.ts'
import { type BuildPeer, input, passOn, type PeerKind } from './peer-job.ts'
import { buildPlain } from './peer-plain.ts'
import { buildToolwright } from './peer-toolwright.ts'
import { verifyPeer } from './verify-peer.ts'

interface Peer {
  readonly name: string
  /** Does the job with it; a file that exports `build`, where that needs what only this bench installs. */
  readonly build: BuildPeer | string
  /** The package that its version is that of; ours and plain JavaScript have none. */
  readonly package?: string
  /** How it does each job; a missing one it does not do. */
  readonly does: Partial<Record<PeerKind, string>>
}

const PEERS: readonly Peer[] = [
  {
    name: 'plain',
    build: buildPlain,
    does: { pipe: 'plain awaits beside themselves: the noise', parallel: 'Promise.all beside itself: the noise' },
  },
  {
    name: 'toolwright',
    build: buildToolwright,
    does: {
      pipe: 'this package: a pipeline of ten tools',
      parallel: 'this package: parallel',
      retry: 'this package: a retry around a tool',
      breaker: 'this package: a closed breaker around a tool',
      limit: 'this package: a limit of ten at a time around a tool',
    },
  },
  { name: 'effect', build: 'peers/effect.ts', package: 'effect', does: { pipe: 'Effect.gen', parallel: 'Effect.all, unbounded' } },
  {
    name: 'ai-sdk',
    build: 'peers/ai-sdk.ts',
    package: 'ai',
    does: { pipe: 'tools without a model', parallel: 'tools without a model, Promise.all' },
  },
  {
    name: 'ai-sdk-loop',
    build: 'peers/ai-sdk-loop.ts',
    package: 'ai',
    does: { pipe: 'generateText, ten steps of a scripted model', parallel: 'generateText, one step with a hundred calls' },
  },
  {
    name: 'langchain',
    build: 'peers/langchain.ts',
    package: '@langchain/core',
    does: { pipe: 'RunnableSequence of tools', parallel: 'RunnableMap of tools' },
  },
  {
    name: 'mastra',
    build: 'peers/mastra.ts',
    package: '@mastra/core',
    does: { pipe: 'a workflow of ten steps', parallel: 'a workflow with .parallel' },
  },
  {
    name: 'langgraph',
    build: 'peers/langgraph.ts',
    package: '@langchain/langgraph',
    does: { pipe: 'StateGraph of ten nodes in a row', parallel: 'StateGraph, fan-out and reducer' },
  },
  {
    name: 'cockatiel',
    build: 'peers/cockatiel.ts',
    package: 'cockatiel',
    does: { retry: 'retry of a function', breaker: 'circuitBreaker around a function', limit: 'bulkhead around a function' },
  },
  {
    name: 'opossum',
    build: 'peers/opossum.ts',
    package: 'opossum',
    does: { breaker: 'CircuitBreaker of a function', limit: 'CircuitBreaker with a capacity' },
  },
]

const KINDS: readonly PeerKind[] = ['pipe', 'parallel', 'retry', 'breaker', 'limit']

const contests = KINDS.flatMap((kind) =>
  PEERS.flatMap((peer) => (peer.does[kind] === undefined ? [] : [{ name: `${kind}-${peer.name}`, kind, peer, how: peer.does[kind] }])),
)

/** The same job done by the peers, each beside plain awaits. For information: no figure has a budget. */
export const peerBenchmarks: readonly Benchmark[] = contests.map(({ name, kind, peer, how }) => ({
  name,
  run: async (effort) => {
    await verifyPeer(await load(peer), kind)
    const samples = await measureApart(name, { ...effort, flags: ['--peers'] })
    const about = peer.package === undefined ? how : `${peer.package} ${peerVersions()[peer.package]}: ${how}`
    const bytes = compared(samples.flatMap((each) => each.bytes ?? []))
    return [{ name, unit: 'ns', compares: 'ratio', ...compared(samples.map((each) => each.time)), bytes, about }]
  },
}))

/** Measures one peer in this process. */
export async function samplePeer(name: string, forMs: number): Promise<Sample> {
  const contest = contests.find((each) => each.name === name)
  if (contest === undefined) throw new Error(`There is no contest '${name}'.`)
  const { kind, peer } = contest
  const baseline = buildPlain(passOn)[kind]
  const subject = (await load(peer))(passOn)[kind]
  if (subject === undefined) throw new Error(`'${peer.name}' has no ${kind}.`)
  const sides = { baseline: () => baseline(input), subject: () => subject(input) }
  return { time: await measureTime(sides, forMs), bytes: await measureBytes(sides) }
}

/** The address is put together here so that the compiler does not follow it: what it leads to is installed for this bench only. */
async function load({ build }: Peer): Promise<BuildPeer> {
  if (typeof build === 'function') return build
  silencePeers()
  const module = (await import(new URL(build, import.meta.url).href)) as { readonly build: BuildPeer }
  return module.build
}

/**
 * Some peers report to a service where the environment says so, or unless it says no. Nothing leaves the machine from here. The variables of
 * LangChain are taken away and not set to 'false': with them set, it allocates up to twice as much as it does for a user who has none.
 */
function silencePeers(): void {
  for (const name of Object.keys(process.env)) if (/^LANG(CHAIN|SMITH)_/.test(name)) delete process.env[name]
  process.env['MASTRA_TELEMETRY_DISABLED'] = 'true'
}
