import type { BenchOutput } from '../bench-output.ts'
import { randomOf } from '../random.ts'
import { apiDescription } from './api-description.ts'
import { authLog } from './auth-log.ts'
import { balancerLog } from './balancer-log.ts'
import { buildOutput } from './build-output.ts'
import { bundleStats } from './bundle-stats.ts'
import { calendar } from './calendar.ts'
import { captions } from './captions.ts'
import { channelExport } from './channel-export.ts'
import { clusterEvents } from './cluster-events.ts'
import { commitHistory } from './commit-history.ts'
import { contract } from './contract.ts'
import { folderListing } from './folder-listing.ts'
import { graphqlAnswer } from './graphql-answer.ts'
import { grepOutput } from './grep-output.ts'
import { infrastructurePlan } from './infrastructure-plan.ts'
import { iniSettings } from './ini-settings.ts'
import { invoicePrint } from './invoice-print.ts'
import { issueList } from './issue-list.ts'
import { jsonLines } from './json-lines.ts'
import { mailbox } from './mailbox.ts'
import { manual } from './manual.ts'
import { mapFeatures } from './map-features.ts'
import { metricsPage } from './metrics-page.ts'
import { minutes } from './minutes.ts'
import { priceList } from './price-list.ts'
import { pythonLog } from './python-log.ts'
import { searchAnswer } from './search-answer.ts'
import { soapAnswer } from './soap-answer.ts'
import { sourceFile } from './source-file.ts'
import { spreadsheet } from './spreadsheet.ts'
import { starTable } from './star-table.ts'
import { testReport } from './test-report.ts'
import { uploads } from './uploads.ts'
import { verticalRecords } from './vertical-records.ts'
import { weatherSeries } from './weather-series.ts'
import { webPage } from './web-page.ts'
import { wideResult } from './wide-result.ts'
import { yamlSettings } from './yaml-settings.ts'
import { zoneFile } from './zone-file.ts'

/** By their names: the split depends on the order. */
const writers = [
  apiDescription,
  authLog,
  balancerLog,
  buildOutput,
  bundleStats,
  calendar,
  captions,
  channelExport,
  clusterEvents,
  commitHistory,
  contract,
  folderListing,
  graphqlAnswer,
  grepOutput,
  infrastructurePlan,
  iniSettings,
  invoicePrint,
  issueList,
  jsonLines,
  mailbox,
  manual,
  mapFeatures,
  metricsPage,
  minutes,
  priceList,
  pythonLog,
  searchAnswer,
  soapAnswer,
  sourceFile,
  spreadsheet,
  starTable,
  testReport,
  uploads,
  verticalRecords,
  weatherSeries,
  webPage,
  wideResult,
  yamlSettings,
  zoneFile,
]

/** Decides which kinds the router's rules may be mended by; nobody chose it. */
const SPLIT_SEED = 20_261_118

/** Half of the kinds may be looked at one by one; of the other half only the percentages are known. */
export function wideOutputs(seed: number, half: 'seen' | 'held out'): BenchOutput[] {
  const random = randomOf(SPLIT_SEED)
  const order = writers.map((write, at) => ({ write, at, place: random.next() })).toSorted((a, b) => a.place - b.place)
  const middle = Math.ceil(order.length / 2)
  const chosen = half === 'seen' ? order.slice(0, middle) : order.slice(middle)
  return chosen.map(({ write, at }) => write(seed * 6007 + at * 15_485_863))
}
