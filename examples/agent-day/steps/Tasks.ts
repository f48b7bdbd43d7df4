import { check, receive, type Step, tomorrow } from "../Day.ts"

/** Gives a task to a colleague, who comments on it and completes it. */
export const completeTasks: Step = async (day) => {
  const { ada, ben, tenant } = day
  const mail = {
    id: "omar-1",
    from: "Omar <omar@customer.example>",
    subject: "Call me",
    body: "Please call me tomorrow."
  }
  const { contact } = await receive(day, mail)
  const task = await ada.client.tasks.create(tenant, {
    title: "Call Omar about his flat roof",
    type: "callback",
    contact_id: contact,
    due_at: tomorrow(),
    assignee_id: ben.user.id
  })
  const { tasks } = await ben.client.tasks.list(tenant, { assigneeId: ben.user.id })
  check(
    tasks.map(({ id }) => id),
    [task.id],
    "the tasks of Ben"
  )
  const comment = await ben.client.tasks.comment(tenant, task.id, { body: "He prefers the evening." })
  check(comment.author_id, ben.user.id, "Ben comments")
  const done = await ben.client.tasks.update(tenant, task.id, { status: "done", disposition: "reached" })
  check([done.status, done.disposition], ["done", "reached"], "Ben reaches Omar")
  check((await ben.client.tasks.list(tenant, { assigneeId: ben.user.id })).tasks, [], "Ben has no open task")
  return ["tasks: Ben completes the task that Ada gave him"]
}
