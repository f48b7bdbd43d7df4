import { check, type Step } from "../Day.ts"

/** Tags the conversations of the day together, and saves a view of them. */
export const endDay: Step = async ({ ada, tenant }) => {
  const { client } = ada
  const { conversations } = await client.conversations.list(tenant)
  const ids = conversations.map(({ contact_id }) => contact_id)
  const { results } = await client.inbox.bulk(tenant, {
    contact_ids: [...ids, "con_unknown"],
    change: { tags: ["today"] }
  })
  check(
    results.map(({ outcome }) => outcome),
    [...ids.map(() => "updated"), "not_found"],
    "the results of the bulk change"
  )
  const view = await client.views.create(tenant, { name: "Today", filters: { tags: ["today"] } })
  check([view.count, view.count_is_exact], [ids.length, true], "the view shows all conversations of the day")
  const closing = { contact_ids: ids, change: { state: "closed" } } as const
  await client.inbox.bulk(tenant, closing)
  const { closed, open } = await client.inbox.counts(tenant)
  check([closed, open], [ids.length, 0], "the inbox is empty")
  return ["evening: all conversations are tagged, shown in a view and closed"]
}
