import { DBOS } from '@dbos-inc/dbos-sdk'
import type { DurablePeer, OpenDurablePeer } from '../durable-peer.ts'

/** A workflow of steps one after the other, called in the process that carries it on. The key of an effect is the workflow and the step. */
export const open: OpenDurablePeer = async ({ url, steps, put }): Promise<DurablePeer> => {
  const workflow = DBOS.registerWorkflow(
    async (run: string): Promise<number> => {
      let count = 0
      for (let step = 0; step < steps; step++) {
        const given = { run, count }
        count = await DBOS.runStep(async () => put(`${DBOS.workflowID}:${DBOS.stepID}`, given), { name: 'put' })
      }
      return count
    },
    { name: 'put_many' },
  )
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error' })
  await DBOS.launch()
  return { run: (id) => workflow(id), close: () => DBOS.shutdown() }
}
