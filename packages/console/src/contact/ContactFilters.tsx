import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import type { FormEvent } from "react"
import { useConnection } from "../app/Connection.ts"
import { Choice } from "../component/Choice.tsx"
import { Row } from "../component/Page.tsx"
import { contactText } from "../text/Contact.ts"
import { text } from "../text/Shared.ts"
import { type ContactSearch, readContactSearch } from "./ContactFilter.ts"
import { segmentsOptions } from "./Segments.tsx"

const consents = { opted_in: contactText.consents.opted_in, opted_out: contactText.consents.opted_out }

/** The filters of the list of contacts. A segment replaces them. */
export const ContactFilters = ({ search }: { readonly search: ContactSearch }) => {
  const navigate = useNavigate()
  const segments = useQuery(segmentsOptions(useConnection())).data?.segments ?? []
  const set = (changed: Readonly<Record<string, unknown>>): void =>
    void navigate({ to: "/contacts", search: readContactSearch({ ...search, ...changed }) })
  const chooseSegment = (segment: string): void =>
    void navigate({ to: "/contacts", search: readContactSearch({ segment, sort: search.sort }) })
  const setTag = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    set({ tag: String(new FormData(event.currentTarget).get("tag") ?? "").trim(), segment: "" })
  }
  const choose = (name: keyof ContactSearch) => (value: string) => set({ [name]: value, segment: "" })
  return (
    <Row label={contactText.filters}>
      <Choice
        label={contactText.segment}
        any={contactText.allContacts}
        value={search.segment}
        options={Object.fromEntries(segments.map(({ id, name }) => [id, name]))}
        onChoose={chooseSegment}
      />
      <Choice label={contactText.columns.tier} value={search.tier} options={text.tiers} onChoose={choose("tier")} />
      <Choice label={contactText.state} value={search.state} options={text.leadStates} onChoose={choose("state")} />
      <Choice label={text.channel} value={search.channel} options={text.channels} onChoose={choose("channel")} />
      <Choice label={contactText.consent} value={search.consent} options={consents} onChoose={choose("consent")} />
      <form onSubmit={setTag}>
        <input
          key={search.tag}
          name="tag"
          defaultValue={search.tag}
          aria-label={contactText.tags}
          placeholder={contactText.tags}
        />
      </form>
      <label>
        <input
          type="checkbox"
          checked={search.archived === true}
          onChange={(event) => set({ archived: event.target.checked, segment: "" })}
        />{" "}
        {contactText.archivedOnly}
      </label>
    </Row>
  )
}
