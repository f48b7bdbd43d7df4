import { useQuery } from "@tanstack/react-query"
import { useConnection } from "../../app/Connection.ts"
import { Loaded } from "../../app/Loaded.tsx"
import { Facts } from "../../component/Facts.tsx"
import { Page, Section } from "../../component/Page.tsx"
import { operatorText } from "../../text/Operator.ts"
import { DoctorSection } from "./DoctorSection.tsx"

const { server: shown } = operatorText

/** The state and the version of the server that answers this console. */
export const ServerPage = () => {
  const { client } = useConnection()
  const health = useQuery({
    queryKey: ["server", "health"],
    queryFn: ({ signal }) => client.system.health({ signal })
  })
  return (
    <Page
      title={shown.title}
      actions={
        <button type="button" onClick={() => void health.refetch()}>
          {shown.check}
        </button>
      }
    >
      <Section title={shown.health}>
        <Loaded query={health}>
          {({ status, version }) => (
            <Facts
              facts={[
                [shown.state, shown.states[status]],
                [shown.version, version]
              ]}
            />
          )}
        </Loaded>
      </Section>
      <DoctorSection />
    </Page>
  )
}
