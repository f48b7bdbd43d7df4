import type { Task, TaskComment } from "@leadloom/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { type FormEvent, useMemo } from "react"
import { useAction } from "../app/Action.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import { useContactNames } from "../app/ContactNames.ts"
import { textIn } from "../form/FormValues.ts"
import { handleEvents } from "../app/Live.ts"
import { Loaded } from "../app/Loaded.tsx"
import { refreshRows } from "../app/RowCache.ts"
import { MoreFailure, rowsOptions, useRows } from "../app/Rows.tsx"
import { useUserNames } from "../app/Users.ts"
import { Field, Fields } from "../component/Field.tsx"
import { noticeSuccess } from "../component/Notices.tsx"
import { CallButton } from "../contact/call/CallButton.tsx"
import { Page, Row, Section } from "../component/Page.tsx"
import { LiveForm } from "../form/LiveForm.tsx"
import { OwnerField } from "../form/OwnerField.tsx"
import { localDateTime, longTime } from "../design/Time.ts"
import { text } from "../text/Shared.ts"
import { taskText } from "../text/Task.ts"
import { timeIn } from "./NewTask.tsx"
import styles from "./Task.module.css"
import { TaskActions } from "./TaskActions.tsx"
import { applyTaskEvent, taskOptions, useTaskChange } from "./TaskData.ts"
import { PriorityField } from "./PriorityField.tsx"
import { recurrenceName } from "./TaskList.tsx"

handleEvents(applyTaskEvent)

const maxCommentLength = 5_000

const commentsOptions = ({ client, tenantId }: Connection, taskId: string) =>
  rowsOptions<TaskComment>([tenantId, "task-comments", taskId], async (cursor, signal) => {
    const page = await client.tasks.listComments(tenantId, taskId, { cursor, limit: 100, signal })
    return { rows: page.comments, next: page.next_cursor }
  })

const Comments = ({ taskId }: { readonly taskId: string }) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const users = useUserNames()
  const options = commentsOptions(connection, taskId)
  const list = useRows(options)
  const [add, isAdding] = useAction(
    (body: string) => connection.client.tasks.comment(connection.tenantId, taskId, { body }),
    { onSuccess: () => refreshRows(queries, options.queryKey) }
  )
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const body = textIn(new FormData(event.currentTarget), "body")
    event.currentTarget.reset()
    if (body !== null) add(body)
  }
  return (
    <Section title={taskText.comments}>
      <ol className={styles.comments}>
        {list.rows?.map((comment) => (
          <li key={comment.id}>
            <span className={styles.muted}>
              {users.get(comment.author_id ?? "") ?? comment.author},{" "}
              <time dateTime={comment.created_at}>{longTime(comment.created_at)}</time>
            </span>
            <p className={styles.body}>{comment.body}</p>
          </li>
        ))}
      </ol>
      <MoreFailure list={list} />
      {list.hasMore ? (
        <button type="button" onClick={() => void list.onMore()}>
          {text.more}
        </button>
      ) : null}
      <form onSubmit={submit}>
        <Field label={taskText.comment}>
          {(control) => <textarea {...control} name="body" rows={3} required maxLength={maxCommentLength} />}
        </Field>
        <button type="submit" disabled={isAdding}>
          {taskText.addComment}
        </button>
      </form>
    </Section>
  )
}

/** The fields of a task: due time, priority, owner and outcome. */
const Details = ({ task }: { readonly task: Task }) => {
  const change = useTaskChange(task, () => noticeSuccess(text.saved))
  const saveForm = (data: FormData): void => {
    change({
      due_at: timeIn(data, "due_at"),
      priority: data.get("priority") as Task["priority"],
      assignee_id: textIn(data, "assignee_id"),
      disposition: textIn(data, "disposition")
    })
  }
  return (
    <Section title={taskText.details}>
      {task.description === null ? null : <p className={styles.body}>{task.description}</p>}
      <LiveForm version={task.updated_at} onSave={saveForm}>
        <Fields>
          <Field label={taskText.dueAt}>
            {(control) => (
              <input
                {...control}
                name="due_at"
                type="datetime-local"
                defaultValue={task.due_at === null ? "" : localDateTime(task.due_at)}
              />
            )}
          </Field>
          <PriorityField priority={task.priority} />
          <OwnerField ownerId={task.assignee_id} />
          <Field label={taskText.outcome}>
            {(control) => (
              <input {...control} name="disposition" maxLength={500} defaultValue={task.disposition ?? ""} />
            )}
          </Field>
        </Fields>
      </LiveForm>
    </Section>
  )
}

/** Calls the contact of a task. The row of the task contains only its id. */
const CallContact = ({ contactId }: { readonly contactId: string }) => {
  const names = useContactNames(useMemo(() => [contactId], [contactId]))
  return <CallButton contactId={contactId} name={names.get(contactId) ?? text.unknownContact} />
}

const TaskLinks = ({ task }: { readonly task: Task }) => (
  <Row>
    <span>{taskText.statuses[task.status]}</span>
    {task.snooze_until === null ? null : <span>{taskText.snoozedUntil(longTime(task.snooze_until))}</span>}
    <span>{recurrenceName(task)}</span>
    {task.contact_id === null ? null : (
      <Link to="/inbox/$contactId" params={{ contactId: task.contact_id }}>
        {taskText.conversation}
      </Link>
    )}
    {task.contact_id === null ? null : <CallContact contactId={task.contact_id} />}
    {task.lead_id === null ? null : (
      <Link to="/leads/$leadId" params={{ leadId: task.lead_id }}>
        {taskText.lead}
      </Link>
    )}
    {task.next_task_id === null ? null : (
      <Link to="/tasks/$taskId" params={{ taskId: task.next_task_id }}>
        {taskText.next}
      </Link>
    )}
  </Row>
)

/** The page of one task. */
export const TaskPage = () => {
  const { taskId } = useParams({ from: "/signed-in/tasks/$taskId" })
  const task = useQuery(taskOptions(useConnection(), taskId))
  return (
    <Loaded query={task}>
      {(data) => (
        <Page title={data.title} actions={<TaskActions task={data} />} tools={<TaskLinks task={data} />}>
          <Details key={data.id} task={data} />
          <Comments taskId={data.id} />
        </Page>
      )}
    </Loaded>
  )
}
