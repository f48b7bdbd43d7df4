import { check, receive, type Step } from "../Day.ts"

/** Splits a thread that contains two enquiries, and joins two threads of one enquiry. */
export const correctThreads: Step = async (day) => {
  const { ben, tenant } = day
  const { client } = ben
  const kim = "Kim <kim@customer.example>"
  const first = await receive(day, { id: "kim-1", from: kim, subject: "Garage", body: "Please repair my garage." })
  const other = await receive(day, {
    id: "kim-2",
    from: kim,
    subject: "Garage",
    answers: "kim-1",
    body: "By the way, what does a carport cost?"
  })
  check(other.thread, first.thread, "Kim's answer belongs to the thread of the garage")
  const split = await client.threads.split(tenant, first.thread, { message_id: other.message })
  check([split.kind, split.thread_id === first.thread], ["split", false], "the carport gets a thread of its own")
  const reply = { id: "kim-3", from: kim, subject: "Re: Garage", answers: "kim-2", body: "A carport for two cars." }
  check((await receive(day, reply)).thread, split.thread_id, "later mail follows the split")

  const lost = await receive(day, { id: "kim-4", from: kim, subject: "My garage", body: "When do you come?" })
  const joined = await client.threads.join(tenant, { thread_ids: [first.thread, lost.thread] })
  const thread = await client.threads.get(tenant, joined.thread_id)
  const ids = thread.messages.map(({ message }) => message.message_id)
  check(
    [first.message, lost.message].every((id) => ids.some((known) => known === id)),
    true,
    "both mails are together"
  )
  return ["threads: one is split, two are joined"]
}
