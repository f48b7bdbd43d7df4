import { defaultConfig } from "../TenantConfig.ts"
import { byHand, everyBusiness, everyGuardrail, isAbout, reply, type Scaffold, says, tag, task } from "./Scaffold.ts"

const intake =
  "Please send us no details or documents yet: first we have to make sure that we may act for you. Writing to us does not make us your lawyers; that takes a signed agreement."

/**
 * For law firms. Deadlines and arrests have precedence, the opposing party gets no reply, and a lawyer approves every
 * reply.
 */
export const legal: Scaffold = {
  name: "legal",
  title: "Law firm",
  description:
    "Law firms: deadlines and arrests first, matters by area, conflict checks before anything else. A person approves every reply.",
  notes: [
    "Every reply waits for a person in any reply mode. Replies neither advise nor promise (ABA Model Rules 1.18, 7.1; your bar may have others)."
  ],
  config: {
    ...defaultConfig,
    classifier: "keywords",
    takeoverHours: 168,
    thresholds: { hot: 65, warm: 35 },
    assistant: {
      ...defaultConfig.assistant,
      instructions:
        "Formal and calm. Only take in: name, area of law, the other side's name, dates that are set. Never advise, never assess chances, never say that the firm acts for anybody."
    },
    guardrails: [
      ...everyGuardrail("20:00", "08:00", 2),
      { id: "by_hand", kind: "require_approval_for_tiers", tiers: ["hot", "warm", "cold"] },
      { id: "fees", kind: "no_prices" },
      { id: "links", kind: "no_links" },
      {
        id: "advice",
        kind: "blocked_phrases",
        outcome: "block",
        phrases: [
          "my advice",
          "our advice is",
          "you should sue",
          "you will win",
          "strong case",
          "guaranteed outcome",
          "we represent you",
          "as your lawyer",
          "as your attorney",
          "you are not liable",
          "do not worry about"
        ]
      }
    ],
    scoreWeights: { urgency: 2, detailed: 2, price_question: 0.5 },
    rules: [
      ...everyBusiness,
      {
        id: "other_side",
        name: "A lawyer answers the opposing party",
        priority: 8,
        when: says(
          "opposing counsel",
          "on behalf of my client",
          "on behalf of our client",
          "we represent",
          "without prejudice"
        ),
        actions: [tag("counsel"), task("review", "A lawyer reads a letter of the opposing party", 120), ...byHand]
      },
      {
        id: "deadline",
        name: "Deadlines and arrests first",
        priority: 10,
        when: {
          any: [
            says("arrested", "in custody", "detained", "police station", "warrant", "restraining order"),
            says("court date", "hearing", "summons", "subpoena", "served with", "deadline", "statute of limitations"),
            says("court papers", "verhaftet", "festgenommen", "untersuchungshaft", "haftbefehl", "vorladung"),
            says("gerichtstermin", "polizeiwache", "einspruchsfrist", "garde à vue", "été arrêté", "été arrêtée"),
            says("convocation", "tribunal", "mandat d'arrêt", "detenido", "detenida", "comisaría", "citación"),
            says("orden de arresto", "arrestato", "arrestata", "in questura", "udienza", "citazione in giudizio")
          ]
        },
        actions: [
          tag("deadline"),
          task("callback", "Call back: a date or an arrest", 15),
          reply(
            "We have received your message, and a lawyer will call you back as soon as possible. Until then, please say and sign nothing.",
            intake
          )
        ]
      },
      {
        id: "family",
        name: "Family law",
        priority: 20,
        when: says(
          "divorce",
          "divorced",
          "custody",
          "child support",
          "alimony",
          "separation",
          "prenup",
          "scheidung",
          "scheiden lassen",
          "sorgerecht",
          "unterhalt",
          "ehevertrag",
          "divorcer",
          "garde des enfants",
          "pension alimentaire",
          "divorcio",
          "divorciarme",
          "divorciarnos",
          "custodia",
          "pensión alimenticia",
          "divorzio",
          "divorziare",
          "affidamento",
          "assegno di mantenimento"
        ),
        actions: [tag("family_law")]
      },
      {
        id: "injury",
        name: "Injuries",
        priority: 21,
        when: says(
          "accident",
          "injured",
          "injury",
          "malpractice",
          "slip and fall",
          "whiplash",
          "unfall",
          "verletzt",
          "schmerzensgeld",
          "behandlungsfehler",
          "blessé",
          "blessée",
          "préjudice corporel",
          "accidente",
          "lesionado",
          "lesionada",
          "incidente",
          "ferito",
          "ferita",
          "infortunio"
        ),
        actions: [tag("injury")]
      },
      {
        id: "estate",
        name: "Wills and estates",
        priority: 22,
        when: says(
          "probate",
          "inheritance",
          "estate",
          "last will",
          "my will",
          "power of attorney",
          "trust fund",
          "erbe",
          "erbschaft",
          "testament",
          "nachlass",
          "pflichtteil",
          "vollmacht",
          "héritage",
          "succession",
          "herencia",
          "testamento",
          "eredità",
          "l'eredità",
          "successione"
        ),
        actions: [tag("estate")]
      },
      {
        id: "criminal",
        name: "Criminal law",
        priority: 23,
        when: says(
          "arrested",
          "charged with",
          "dui",
          "dwi",
          "criminal",
          "felony",
          "misdemeanor",
          "verhaftet",
          "festgenommen",
          "strafverfahren",
          "strafbefehl",
          "anzeige erstattet",
          "garde à vue",
          "été arrêté",
          "été arrêtée",
          "pénal",
          "detenido",
          "detenida",
          "denunciado",
          "penal",
          "arrestato",
          "arrestata",
          "penale",
          "denunciato"
        ),
        actions: [tag("criminal_law")]
      },
      {
        id: "employment",
        name: "Employment law",
        priority: 24,
        when: says(
          "fired",
          "wrongful termination",
          "discrimination",
          "harassment",
          "severance",
          "unpaid wages",
          "gekündigt",
          "kündigung",
          "abfindung",
          "abmahnung",
          "arbeitgeber",
          "licencié",
          "licenciée",
          "licenciement",
          "prud'hommes",
          "harcèlement",
          "despedido",
          "despedida",
          "despido",
          "finiquito",
          "licenziato",
          "licenziata",
          "licenziamento",
          "datore di lavoro"
        ),
        actions: [tag("employment_law")]
      },
      {
        id: "client",
        name: "Clients are forwarded to their lawyer",
        priority: 30,
        when: {
          any: [
            { fact: "contact.tags", op: "includes", value: "client" },
            says(
              "my case",
              "my file",
              "case number",
              "my lawyer",
              "my attorney",
              "mein fall",
              "meinem fall",
              "aktenzeichen",
              "mon dossier",
              "mon affaire",
              "mi caso",
              "mi expediente",
              "mio caso",
              "mia pratica"
            )
          ]
        },
        actions: [tag("matter"), task("callback", "A client asks about a matter", 240), ...byHand]
      },
      {
        id: "consultation",
        name: "New clients get a first consultation",
        priority: 40,
        when: {
          any: [
            isAbout("booking", "pricing", "purchase", "information"),
            { fact: "contact.tags", op: "includes_any", value: ["family_law", "injury", "estate", "employment_law"] },
            says("need a lawyer", "looking for a lawyer", "need an attorney", "divorce", "injured", "fired", "probate"),
            says(
              "brauche einen anwalt",
              "suche einen anwalt",
              "scheidung",
              "verletzt",
              "gekündigt",
              "erbe",
              "nachlass"
            ),
            says(
              "besoin d'un avocat",
              "cherche un avocat",
              "divorcer",
              "blessé",
              "licencié",
              "licenciée",
              "succession"
            ),
            says("necesito un abogado", "busco abogado", "divorcio", "lesionado", "despedido", "despedida", "herencia"),
            says(
              "bisogno di un avvocato",
              "cerco un avvocato",
              "divorzio",
              "ferito",
              "licenziato",
              "licenziata",
              "eredità",
              "l'eredità",
              "l'eredità"
            )
          ]
        },
        actions: [
          tag("intake"),
          task("callback", "Check for conflicts, then offer a first consultation", 120),
          reply(
            "Thank you for contacting us. We will call you to arrange a first consultation. What is it about, in one sentence, and who is the other party?",
            intake
          )
        ]
      }
    ]
  }
}
