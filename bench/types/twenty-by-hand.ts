import * as tools from './chain-tools.ts'
import { priceMail } from './ten-by-hand.ts'

/** What `builder-chain.ts` does, without a pipeline. */
export async function answerMail(mailId: string) {
  const outcome = await tools.settle.execute(await priceMail(mailId))
  const text = await tools.describeOutcome.execute(JSON.stringify(outcome))
  const written = await tools.writeMail.execute({ to: ['ada@example.com'], text: `${text} (${text.length})`, tone: 'warm' })
  const checked = await tools.proofread.execute(written)
  const { messageId, accepted } = await tools.sendMail.execute(checked)
  const archived = await tools.archive.execute({ messageId, folder: accepted.length > 0 ? 'sent' : 'cases' })
  const counted = await tools.countCase.execute(archived)
  const reported = await tools.report.execute(counted)
  const drawn = await tools.chart.execute(reported)
  return tools.publish.execute(drawn)
}
