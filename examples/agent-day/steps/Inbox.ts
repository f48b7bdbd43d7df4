import { check, receive, type Step, tomorrow } from "../Day.ts"

/** Assigns, snoozes and closes conversations. New messages reopen them. */
export const workInbox: Step = async (day) => {
  const { ada, ben, eva, teams, tenant } = day
  const grace = { from: "Grace <grace@customer.example>", subject: "A new roof" }
  const henry = { from: "Henry <henry@customer.example>", subject: "Leaking gutter" }
  const first = await receive(day, { ...grace, id: "grace-1", body: "What does a new roof cost?" })
  const second = await receive(day, { ...henry, id: "henry-1", body: "My gutter leaks." })

  const assigned = await ada.client.inbox.update(tenant, first.contact, {
    assignee_id: ada.user.id,
    team_id: teams.sales,
    priority: "high",
    tags: ["roof"]
  })
  check([assigned.assignee_id, assigned.team_id, assigned.tags], [ada.user.id, teams.sales, ["roof"]], "Ada's work")
  await eva.client.inbox.update(tenant, second.contact, { assignee_id: ben.user.id, team_id: teams.service })
  const mine = await ben.client.conversations.list(tenant, { assigneeId: ben.user.id })
  check(
    mine.conversations.map(({ contact_id }) => contact_id),
    [second.contact],
    "Ben's conversations"
  )
  const { mine: adas, unassigned } = await ada.client.inbox.counts(tenant)
  check([adas, unassigned], [1, 0], "the counts of Ada")

  const snoozed = await ben.client.inbox.update(tenant, second.contact, { snooze_until: tomorrow() })
  check(snoozed.state, "snoozed", "Henry's conversation sleeps")
  await receive(day, { ...henry, id: "henry-2", answers: "henry-1", body: "It leaks more now." })
  const awake = await ben.client.inbox.row(tenant, second.contact)
  check([awake.state, awake.snooze_until], ["open", null], "a new message wakes it")

  check((await ada.client.inbox.update(tenant, first.contact, { state: "closed" })).state, "closed", "Ada closes")
  await receive(day, { ...grace, id: "grace-2", answers: "grace-1", body: "One more question: how long does it take?" })
  const reopened = await ada.client.inbox.row(tenant, first.contact)
  check([reopened.state, reopened.assignee_id], ["open", ada.user.id], "a new message reopens it for Ada")

  const body = `<@${ben.user.id}> knows this roof. <@${teams.sales}>: call her today.`
  const note = await ada.client.notes.create(tenant, first.contact, { body })
  check([note.author_id, note.team_mentions], [ada.user.id, [teams.sales]], "the note of Ada")
  // The mention of a team mentions its members.
  check(note.mentions, [ben.user.id, ada.user.id, eva.user.id], "the mentioned users")
  const { notes } = await ben.client.notes.list(tenant, first.contact)
  check(
    notes.map(({ id }) => id),
    [note.id],
    "Ben reads the note"
  )
  return ["inbox: assigned, snoozed, closed and reopened", "notes: Ben and Sales are mentioned"]
}
