import { into, pipe } from 'toolwright'
import * as tools from './chain-tools.ts'

export const priceMail = pipe(
  tools.readMail,
  tools.translate,
  into(({ value }) => value.text, tools.findReference),
  tools.findOrder,
  tools.findCustomer,
  tools.priceLines,
  into(({ value }) => ({ orderId: value.orderId, from: value.total, to: 'EUR' }), tools.convert),
  tools.addTax,
  tools.assessRisk,
  tools.decide,
)

export const priced = await priceMail.call({ mailId: 'm-1' })
export const verdict: 'refund' | 'replace' | 'refuse' = priced.ok ? priced.value.verdict : 'refuse'
