import { useNavigate, useSearch } from "@tanstack/react-router"
import { type FormEvent, useCallback } from "react"
import { useConnection } from "../app/Connection.ts"
import { useTeamNames, useUserNames } from "../app/Users.ts"
import { Choice } from "../component/Choice.tsx"
import { inboxText } from "../text/Inbox.ts"
import { text } from "../text/Shared.ts"
import styles from "./Filters.module.css"
import { defaultState, type ListFilter, readFilter } from "./ListFilter.ts"
import { Views } from "./Views.tsx"

interface StateProps {
  readonly filter: ListFilter
  readonly onChoose: (state: string) => void
}

/** The choice of the state. Its first entry is the state of a list whose address names none. */
const StateChoice = ({ filter, onChoose }: StateProps) => {
  const first = defaultState(filter)
  const states = { ...text.states, any: text.any }
  return (
    <Choice
      label={inboxText.state}
      value={filter.state === first ? undefined : filter.state}
      any={states[first]}
      options={Object.fromEntries(Object.entries(states).filter(([state]) => state !== first))}
      onChoose={onChoose}
    />
  )
}

/** The filters of the list. The address of the page contains them, so a reload and a link keep them. */
export const Filters = () => {
  const { userId } = useConnection()
  const filter = useSearch({ from: "/signed-in/inbox" })
  const navigate = useNavigate()
  const replace = useCallback((next: ListFilter): void => void navigate({ to: ".", search: next }), [navigate])
  const set = (changed: Readonly<Record<string, unknown>>): void => replace(readFilter({ ...filter, ...changed }))
  const search = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    set({ q: String(new FormData(event.currentTarget).get("q") ?? "").trim() })
  }
  const users = useUserNames()
  const teams = useTeamNames()
  const mine = userId === null ? {} : { [userId]: inboxText.mine }
  const assignees = { ...mine, none: inboxText.unassigned, ...Object.fromEntries(users), ...mine }
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
      <Views filter={filter} onChoose={replace} />
      <StateChoice filter={filter} onChoose={(state) => set({ state })} />
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
      {teams.size === 0 ? null : (
        <Choice
          label={inboxText.team}
          value={filter.teamId}
          options={{ none: inboxText.withoutTeam, ...Object.fromEntries(teams) }}
          onChoose={(teamId) => set({ teamId })}
        />
      )}
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
