import * as tools from './chain-tools.ts'

/** What `pipe-of-ten.ts` does, without a pipe. */
export async function priceMail(mailId: string) {
  const mail = await tools.readMail.execute({ mailId })
  const translated = await tools.translate.execute(mail)
  const reference = await tools.findReference.execute(translated.text)
  const found = await tools.findOrder.execute(reference)
  const known = await tools.findCustomer.execute(found)
  const { orderId, total } = await tools.priceLines.execute(known)
  const converted = await tools.convert.execute({ orderId, from: total, to: 'EUR' })
  const taxed = await tools.addTax.execute(converted)
  const risk = await tools.assessRisk.execute(taxed)
  return tools.decide.execute(risk)
}
