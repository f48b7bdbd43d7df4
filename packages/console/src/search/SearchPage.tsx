/**
 * The search in contacts, messages and private notes. The search of contacts in the palette belongs in `app/FindContacts.ts`. Tests:
 * `packages/console/test`.
 */
import type { ContactHit, ConversationHit, NoteHit, SearchHighlight } from "@leadloom/client"
import { useInfiniteQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef } from "react"
import { useConnection } from "../app/Connection.ts"
import { nameOf, useContactNames } from "../app/ContactNames.ts"
import { textIn } from "../form/FormValues.ts"
import { problemText } from "../app/Problem.ts"
import { Empty, Page, Section } from "../component/Page.tsx"
import { Loading, MoreProblem, Problem } from "../component/Problem.tsx"
import { longTime } from "../design/Time.ts"
import { searchText } from "../text/Search.ts"
import { text } from "../text/Shared.ts"
import styles from "./SearchPage.module.css"
import type { SearchTerms } from "./SearchTerms.ts"

const hitsPerPage = 20

/** An excerpt with its matches marked. The ranges are sorted and do not overlap. */
const Excerpt = ({ highlight: { ranges, text: excerpt } }: { readonly highlight: SearchHighlight }) => {
  const parts: Array<ReactNode> = []
  let at = 0
  for (const { end, start } of ranges) {
    parts.push(excerpt.slice(at, start), <mark key={start}>{excerpt.slice(start, end)}</mark>)
    at = end
  }
  return (
    <p className={styles.excerpt}>
      {parts}
      {excerpt.slice(at)}
    </p>
  )
}

const Excerpts = ({ highlights }: { readonly highlights: ReadonlyArray<SearchHighlight> }) =>
  highlights.map((highlight) => <Excerpt key={highlight.field} highlight={highlight} />)

const Contacts = ({ hits }: { readonly hits: ReadonlyArray<ContactHit> }) => (
  <ul className={styles.hits}>
    {hits.map(({ contact, highlights }) => (
      <li key={contact.id}>
        <Link to="/contacts/$contactId" params={{ contactId: contact.id }}>
          {nameOf(contact)}
        </Link>
        <Excerpts highlights={highlights} />
      </li>
    ))}
  </ul>
)

/** Returns the function that names the contacts of hits. A contact without a name and an address has a number. */
const useNamed = (hits: ReadonlyArray<ConversationHit | NoteHit>) => {
  const names = useContactNames(useMemo(() => hits.map((hit) => hit.contact_id), [hits]))
  return ({ contact_email, contact_id: id, contact_name }: ConversationHit | NoteHit): string =>
    contact_name ?? contact_email ?? names.get(id) ?? text.unknownContact
}

const Messages = ({ hits }: { readonly hits: ReadonlyArray<ConversationHit> }) => {
  const contactOf = useNamed(hits)
  return (
    <ul className={styles.hits}>
      {hits.map((hit) => (
        <li key={hit.message_id}>
          <Link to="/inbox/$contactId" params={{ contactId: hit.contact_id }} hash={hit.message_id}>
            {contactOf(hit)}
            {hit.subject === null ? null : `: ${hit.subject}`}
          </Link>{" "}
          <span className={styles.muted}>
            {text.channels[hit.channel]}, {text.actors[hit.actor]},{" "}
            <time dateTime={hit.timestamp}>{longTime(hit.timestamp)}</time>
          </span>
          <Excerpts highlights={hit.highlights} />
        </li>
      ))}
    </ul>
  )
}

const Notes = ({ hits }: { readonly hits: ReadonlyArray<NoteHit> }) => {
  const contactOf = useNamed(hits)
  return (
    <ul className={styles.hits}>
      {hits.map((hit) => (
        <li key={hit.note_id}>
          <Link to="/inbox/$contactId" params={{ contactId: hit.contact_id }} hash={hit.note_id}>
            {contactOf(hit)}
          </Link>{" "}
          <time className={styles.muted} dateTime={hit.updated_at}>
            {longTime(hit.updated_at)}
          </time>
          <Excerpts highlights={hit.highlights} />
        </li>
      ))}
    </ul>
  )
}

const SearchForm = ({ deep, q }: SearchTerms) => {
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const query = textIn(data, "q")
    void navigate({
      to: "/search",
      search: { ...(query === null ? {} : { q: query }), ...(data.has("deep") ? { deep: true } : {}) }
    })
  }
  useEffect(() => {
    if (q === undefined) field.current?.focus()
  }, [q])
  return (
    <form role="search" className={styles.form} onSubmit={submit}>
      <input
        key={q}
        ref={field}
        type="search"
        name="q"
        defaultValue={q}
        aria-label={searchText.field}
        placeholder={searchText.field}
        maxLength={1_000}
      />
      <button type="submit">{searchText.submit}</button>
      <label>
        <input type="checkbox" name="deep" defaultChecked={deep === true} /> {searchText.deep}
      </label>
    </form>
  )
}

const useHits = ({ deep = false, q }: { readonly q: string; readonly deep?: boolean | undefined }) => {
  const { client, tenantId } = useConnection()
  return useInfiniteQuery({
    queryKey: [tenantId, "search", q, deep] as const,
    queryFn: ({ pageParam, signal }) =>
      client.search.search(
        tenantId,
        { query: q, deep, limit: hitsPerPage, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
        { signal }
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // New messages do not change the cached hits, so a repeated search reads again.
    gcTime: 0
  })
}

interface PartProps {
  readonly title: string
  readonly hits: number
  readonly hasMore: boolean
  readonly children: ReactNode
}

const Part = ({ children, hasMore, hits, title }: PartProps) =>
  hits === 0 ? null : (
    <Section title={title}>
      <p className={styles.muted}>{searchText.hits(hits, hasMore)}</p>
      {children}
    </Section>
  )

const Results = ({ deep, q }: { readonly q: string; readonly deep?: boolean | undefined }) => {
  const { data, error, fetchNextPage, hasNextPage, isFetching, refetch } = useHits({ q, deep })
  if (data === undefined) {
    return error === null ? <Loading /> : <Problem message={problemText(error)} onRetry={() => void refetch()} />
  }
  const contacts = data.pages.flatMap((page) => page.contacts)
  const messages = data.pages.flatMap((page) => page.conversations)
  const notes = data.pages.flatMap((page) => page.notes)
  return (
    <>
      {data.pages.some(({ complete }) => !complete) ? <Empty>{searchText.incomplete}</Empty> : null}
      {contacts.length + messages.length + notes.length === 0 ? <Empty>{searchText.none(q)}</Empty> : null}
      <Part title={searchText.contacts} hits={contacts.length} hasMore={hasNextPage}>
        <Contacts hits={contacts} />
      </Part>
      <Part title={searchText.messages} hits={messages.length} hasMore={hasNextPage}>
        <Messages hits={messages} />
      </Part>
      <Part title={searchText.notes} hits={notes.length} hasMore={hasNextPage}>
        <Notes hits={notes} />
      </Part>
      {error === null ? null : <MoreProblem message={problemText(error)} onRetry={() => void fetchNextPage()} />}
      {hasNextPage && error === null ? (
        <button type="button" className={styles.more} disabled={isFetching} onClick={() => void fetchNextPage()}>
          {text.more}
        </button>
      ) : null}
    </>
  )
}

/** The search in contacts, messages and private notes. */
export const SearchPage = () => {
  const { deep, q } = useSearch({ from: "/signed-in/search" })
  return (
    <Page title={searchText.title} tools={<SearchForm q={q} deep={deep} />}>
      {q === undefined ? <Empty>{searchText.start}</Empty> : <Results q={q} deep={deep} />}
    </Page>
  )
}
