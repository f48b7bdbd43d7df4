import { check, receive, type Step } from "../Day.ts"

/** Moves a lead through the stages of a pipeline. */
export const sellRoofs: Step = async (day) => {
  const { eva, manager, tenant } = day
  const { client } = eva
  const mail = { id: "lena-1", from: "Lena <lena@customer.example>", subject: "Roof", body: "Please send an offer." }
  const { lead } = await receive(day, mail)
  const pipeline = await manager.pipelines.create(tenant, {
    name: "Roofs",
    stages: [
      { name: "New", state: "open" },
      { name: "Visited", state: "engaged" },
      { name: "Offer sent", state: "qualified" }
    ]
  })
  const stageOf = (name: string): string => pipeline.stages.find((stage) => stage.name === name)?.stage_id ?? ""
  const deal = { value: 1_850_000, currency: "EUR", expected_close_on: "2030-06-30", tags: ["tiles"] }
  check((await client.leads.update(tenant, lead, deal)).value, deal.value, "the value of the deal")
  for (const [name, state] of [
    ["New", "open"],
    ["Visited", "engaged"],
    ["Offer sent", "qualified"]
  ] as const) {
    const moved = await client.leads.move(tenant, lead, { stage_id: stageOf(name) })
    check([moved.stage_id, moved.state], [stageOf(name), state], `the lead is in the stage ${name}`)
  }
  const { stages } = await client.pipelines.board(tenant, pipeline.pipeline_id)
  const filled = stages.flatMap(({ leads, name, values }) => (leads === 0 ? [] : [{ name, leads, values }]))
  check(filled, [{ name: "Offer sent", leads: 1, values: [{ currency: "EUR", value: deal.value }] }], "the board")
  const { leads } = await client.leads.list(tenant, { stageId: stageOf("Offer sent") })
  check(
    leads.map(({ id }) => id),
    [lead],
    "the leads of the stage"
  )
  check((await client.leads.transition(tenant, lead, { state: "won", reason: "signed" })).state, "won", "Lena signs")
  return ["deals: a lead went through the stages of the pipeline and is won"]
}
