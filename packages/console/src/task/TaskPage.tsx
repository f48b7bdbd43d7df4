import type { Task, TaskComment, UpdateTask } from "@leadloom/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { type FormEvent, useId, useState } from "react"
import { useAction } from "../app/Action.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import { nameOf } from "../app/ContactNames.ts"
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
import { Unsaved } from "../form/Unsaved.tsx"
import { OwnerField } from "../form/OwnerField.tsx"
import { localDateTime, longTime } from "../design/Time.ts"
import { callerName } from "../text/Names.ts"
import { text } from "../text/Shared.ts"
import { taskText } from "../text/Task.ts"
import { timeIn } from "./NewTask.tsx"
import styles from "./Task.module.css"
import { TaskActions } from "./TaskActions.tsx"
import { TaskText } from "./TaskText.tsx"
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
    {
      onSuccess: () => {
        setBody("")
        return refreshRows(queries, options.queryKey)
      }
    }
  )
  const [body, setBody] = useState("")
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (body.trim() !== "") add(body.trim())
  }
  return (
    <Section title={taskText.comments}>
      <ol className={styles.comments}>
        {list.rows?.map((comment) => (
          <li key={comment.id}>
            <span className={styles.muted}>
              {callerName(comment.author, users.get(comment.author_id ?? "") ?? null)},{" "}
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
        <Unsaved isChanged={body.trim() !== ""} />
        <Field label={taskText.comment}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              required
              maxLength={maxCommentLength}
              value={body}
              onChange={(event) => setBody(event.target.value)}
            />
          )}
        </Field>
        <button type="submit" disabled={isAdding}>
          {taskText.addComment}
        </button>
      </form>
    </Section>
  )
}

interface TaskProps {
  readonly task: Task
}

/** The fields of a task: due time, priority, owner and outcome. */
const Details = ({ formId, task }: TaskProps & { readonly formId: string }) => {
  const change = useTaskChange(task, () => noticeSuccess(text.saved))
  const complete = useTaskChange(task, () => noticeSuccess(taskText.completed))
  const saveForm = (data: FormData, onSuccess: () => void): void => {
    const isDone = data.get("status") === "done"
    const send = isDone ? complete : change
    const body: UpdateTask = {
      ...(isDone ? { status: "done" } : {}),
      due_at: timeIn(data, "due_at"),
      priority: data.get("priority") as Task["priority"],
      assignee_id: textIn(data, "assignee_id"),
      disposition: textIn(data, "disposition")
    }
    send(body, { onSuccess })
  }
  return (
    <Section title={taskText.details}>
      {task.description === null ? null : <TaskText description={task.description} />}
      <LiveForm id={formId} version={task.updated_at} onSave={saveForm}>
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

/** The contact of a task with the ways to reach it. */
const TaskContact = ({ contactId }: { readonly contactId: string }) => {
  const { client, tenantId } = useConnection()
  const { data: contact } = useQuery({
    queryKey: [tenantId, "task-contact", contactId] as const,
    queryFn: ({ signal }) => client.contacts.get(tenantId, contactId, { signal }),
    gcTime: 0
  })
  if (contact === undefined) return null
  return (
    <>
      <Link to="/contacts/$contactId" params={{ contactId }}>
        {nameOf(contact)}
      </Link>
      {contact.phone === null ? null : <a href={`tel:${contact.phone}`}>{contact.phone}</a>}
      {contact.email === null ? null : <span>{contact.email}</span>}
      <CallButton contactId={contactId} name={nameOf(contact)} />
    </>
  )
}

const TaskLinks = ({ task }: TaskProps) => (
  <Row>
    <span>{taskText.types[task.type]}</span>
    <span>{taskText.statuses[task.status]}</span>
    {task.snooze_until === null ? null : <span>{taskText.snoozedUntil(longTime(task.snooze_until))}</span>}
    <span>{recurrenceName(task)}</span>
    {task.contact_id === null ? null : (
      <>
        <TaskContact contactId={task.contact_id} />
        <Link to="/inbox/$contactId" params={{ contactId: task.contact_id }}>
          {taskText.conversation}
        </Link>
      </>
    )}
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
  const formId = useId()
  const task = useQuery(taskOptions(useConnection(), taskId))
  return (
    <Loaded query={task}>
      {(data) => (
        <Page
          title={data.title}
          actions={<TaskActions task={data} formId={formId} />}
          tools={<TaskLinks task={data} />}
        >
          <Details key={data.id} task={data} formId={formId} />
          <Comments taskId={data.id} />
        </Page>
      )}
    </Loaded>
  )
}
