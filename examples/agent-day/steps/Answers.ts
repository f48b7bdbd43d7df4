import { check, receive, type Step } from "../Day.ts"

/** Answers with a canned reply, and carries out a macro. */
export const writeAnswers: Step = async (day) => {
  const { ada, manager, tenant } = day
  const iris = { from: "Iris <iris@customer.example>", subject: "Roof windows" }
  const { contact, lead } = await receive(day, { ...iris, id: "iris-1", body: "Do you install roof windows?" })

  const body = "Hello {{ contact.first_name }}, yes, we do. When may we visit you?"
  const canned = await manager.cannedReplies.create(tenant, { name: "Visit", body })
  const rendered = await ada.client.cannedReplies.render(tenant, canned.id, { contact_id: contact })
  check([rendered.text, rendered.missing], ["Hello Iris, yes, we do. When may we visit you?", []], "the canned reply")
  await ada.client.conversations.send(tenant, contact, { channel: "email", body: rendered.text })
  const { messages } = await ada.client.conversations.get(tenant, contact)
  check(messages.at(-1)?.body.startsWith(rendered.text), true, "Iris gets the answer")

  const macro = await manager.macros.create(tenant, {
    name: "Visit offered",
    actions: [
      { type: "tag", tag: "visit" },
      { type: "transition", state: "engaged" }
    ]
  })
  const { actions } = await ada.client.macros.run(tenant, macro.id, { contact_id: contact })
  check(
    actions.map(({ outcome, type }) => [type, outcome]),
    [
      ["tag", "done"],
      ["transition", "done"]
    ],
    "the macro"
  )
  check((await ada.client.leads.get(tenant, lead)).state, "engaged", "the macro engages the lead")
  return ["answers: a canned reply is sent", "macros: a tag and a transition are done"]
}
