import { useNavigate, useSearch } from "@tanstack/react-router"
import { useQuery } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useConnection } from "../app/Connection.ts"
import { Choice } from "../component/Choice.tsx"
import { inboxText } from "../text/Inbox.ts"
import { text } from "../text/Shared.ts"
import styles from "./Filters.module.css"
import { filterOfView, type ListFilter, readFilter } from "./ListFilter.ts"

/** The saved views of the person. Choosing one replaces all filters. */
const Views = ({ onChoose }: { readonly onChoose: (filter: ListFilter) => void }) => {
  const { client, tenantId } = useConnection()
  const views = useQuery({
    queryKey: [tenantId, "views"],
    queryFn: ({ signal }) => client.views.list(tenantId, { signal })
  })
  const shown = views.data?.views ?? []
  if (shown.length === 0) return null
  const choose = (id: string): void => {
    const view = shown.find((one) => one.id === id)
    onChoose(view === undefined ? {} : filterOfView(view))
  }
  return (
    <select aria-label={inboxText.view} defaultValue="" onChange={(event) => choose(event.target.value)}>
      <option value="">{inboxText.allViews}</option>
      {shown.map(({ count, count_is_exact, id, name }) => (
        <option key={id} value={id}>
          {name} ({count}
          {count_is_exact ? "" : "+"})
        </option>
      ))}
    </select>
  )
}

/** The filters of the list. The address of the page contains them, so a reload and a link keep them. */
export const Filters = () => {
  const { userId } = useConnection()
  const filter = useSearch({ from: "/signed-in/inbox" })
  const navigate = useNavigate()
  const replace = (next: ListFilter): void => void navigate({ to: ".", search: next })
  const set = (changed: Readonly<Record<string, unknown>>): void => replace(readFilter({ ...filter, ...changed }))
  const search = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    set({ q: String(new FormData(event.currentTarget).get("q") ?? "").trim() })
  }
  const assignees = { none: inboxText.unassigned, ...(userId === null ? {} : { [userId]: inboxText.mine }) }
  return (
    <div className={styles.filters} role="group" aria-label={inboxText.filters}>
      <form role="search" className={styles.search} onSubmit={search}>
        <input
          type="search"
          name="q"
          key={filter.q}
          defaultValue={filter.q}
          aria-label={inboxText.search}
          placeholder={inboxText.search}
        />
      </form>
      <Views onChoose={replace} />
      <Choice label={inboxText.state} value={filter.state} options={text.states} onChoose={(state) => set({ state })} />
      <Choice
        label={inboxText.channel}
        value={filter.channel}
        options={text.channels}
        onChoose={(channel) => set({ channel })}
      />
      <Choice label={inboxText.tier} value={filter.tier} options={text.tiers} onChoose={(tier) => set({ tier })} />
      <Choice
        label={inboxText.assignee}
        value={filter.assigneeId}
        options={assignees}
        onChoose={(assigneeId) => set({ assigneeId })}
      />
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={filter.unread === true}
          onChange={(event) => set({ unread: event.target.checked ? true : undefined })}
        />
        {inboxText.unreadOnly}
      </label>
    </div>
  )
}
