import { defaultConfig } from "../TenantConfig.ts"
import {
  everyBusiness,
  everyGuardrail,
  isAbout,
  mayBeUrgent,
  reply,
  type Scaffold,
  says,
  tag,
  task
} from "./Scaffold.ts"

const trades = says(
  "trade in",
  "trade it in",
  "trade my",
  "part exchange",
  "sell my car",
  "value of my car",
  "in zahlung",
  "inzahlungnahme",
  "reprise de",
  "reprendre ma",
  "reprendre mon",
  "entregar mi",
  "mi coche como parte",
  "permuta",
  "ritirate la mia",
  "ritirate il mio"
)
const financing = says(
  "financing",
  "finance",
  "lease",
  "monthly payment",
  "monthly payments",
  "apr",
  "credit score",
  "loan",
  "finanzierung",
  "finanzieren",
  "monatliche rate",
  "monatsrate",
  "leasing",
  "financement",
  "mensualités",
  "crédit",
  "financiación",
  "financiar",
  "cuota mensual",
  "finanziamento",
  "rata mensile",
  "rate mensili"
)

/**
 * For car dealers with a workshop. Test drives, trade-ins and financing go to sales. Breakdowns and service go to the
 * workshop.
 */
export const automotive: Scaffold = {
  name: "automotive",
  title: "Automotive",
  description:
    "Dealers and workshops: test drives, trade-ins and financing go to sales, breakdowns and service to the workshop.",
  notes: [
    "Replies with prices and rates wait for a person, because advertised credit terms must be complete (12 CFR 1026.24)."
  ],
  config: {
    ...defaultConfig,
    classifier: "keywords",
    assistant: {
      ...defaultConfig.assistant,
      instructions:
        "Relaxed and to the point. Ask for the model, the mileage and a time. Never name a price, a rate or a monthly payment, and never say that a car is still there without a person having looked."
    },
    guardrails: [
      ...everyGuardrail("21:30", "07:30", 5),
      { id: "prices", kind: "no_prices" },
      {
        id: "credit",
        kind: "blocked_phrases",
        outcome: "block",
        phrases: [
          "guaranteed approval",
          "no credit check",
          "everyone is approved",
          "zero down",
          "instant approval",
          "0% apr"
        ]
      },
      { id: "hot_by_hand", kind: "require_approval_for_tiers", tiers: ["hot"] }
    ],
    scoreWeights: { intent: 1.3, price_question: 1.3, channel: 1.5 },
    rules: [
      ...everyBusiness,
      {
        id: "breakdown",
        name: "Breakdowns get an immediate callback",
        priority: 10,
        when: {
          all: [
            mayBeUrgent,
            {
              any: [
                says("broke down", "broken down", "wont start", "tow truck", "towed", "stranded", "smoke from"),
                says(
                  "liegen geblieben",
                  "liegengeblieben",
                  "springt nicht an",
                  "panne",
                  "abschleppen",
                  "abschleppdienst"
                ),
                says("en panne", "dépanneuse", "dépannage", "ne démarre plus", "ne démarre pas", "remorquer"),
                says("tirado", "tirada", "no arranca", "grúa", "averiado", "averiada"),
                says("in panne", "carro attrezzi", "carroattrezzi", "non parte", "non si accende")
              ]
            }
          ]
        },
        actions: [
          tag("breakdown"),
          task("callback", "Call back about a breakdown now", 15),
          reply(
            "We have received your message and will call you back as soon as possible. Where is the car, and are you safe?"
          ),
          { type: "stop" }
        ]
      },
      {
        id: "recall",
        name: "Recalls",
        priority: 15,
        when: says(
          "recall",
          "recalled",
          "airbag recall",
          "safety notice",
          "rückruf des",
          "rückrufaktion",
          "campagne de rappel",
          "llamada a revisión",
          "campagna di richiamo"
        ),
        actions: [tag("recall"), task("callback", "Book a recall repair", 240)]
      },
      {
        id: "service",
        name: "The workshop",
        priority: 20,
        when: says(
          "oil change",
          "brakes",
          "inspection",
          "tires",
          "tyres",
          "service appointment",
          "check engine",
          "mot",
          "ölwechsel",
          "reifenwechsel",
          "inspektion",
          "bremsen",
          "hauptuntersuchung",
          "vidange",
          "freins",
          "pneus",
          "révision",
          "contrôle technique",
          "cambio de aceite",
          "frenos",
          "neumáticos",
          "itv",
          "tagliando",
          "cambio gomme",
          "cambio olio",
          "freni",
          "gomme"
        ),
        actions: [
          tag("service"),
          task("callback", "Agree on a time in the workshop", 120),
          reply("Gladly. Please send us the model, the year, the mileage and two days that suit you.")
        ]
      },
      {
        id: "test_drive",
        name: "Test drives",
        priority: 30,
        when: says(
          "test drive",
          "drive it",
          "come and see",
          "come see it",
          "look at the car",
          "probefahrt",
          "probe fahren",
          "probefahren",
          "essai routier",
          "essayer",
          "un essai",
          "prueba de conducción",
          "probar el",
          "probar la",
          "prova su strada",
          "giro di prova"
        ),
        actions: [
          tag("test_drive"),
          task("callback", "Agree on a test drive", 30),
          { type: "transition", state: "engaged" },
          reply("With pleasure. Which car is it about, and which two times would suit you? Please bring your licence.")
        ]
      },
      {
        id: "trade_in",
        name: "Trade-ins",
        priority: 40,
        when: trades,
        actions: [
          tag("trade_in"),
          task("follow_up", "Value a trade-in", 240),
          reply("We are glad to look at your car. Please send us model, year, mileage and a few photos.")
        ]
      },
      {
        id: "finance",
        name: "Financing goes to a person",
        priority: 50,
        when: financing,
        actions: [tag("finance"), task("callback", "Talk about financing", 120), { type: "suppress_reply" }]
      },
      {
        id: "availability",
        name: "Availability of a car",
        priority: 60,
        when: {
          any: [
            says("still available", "in stock", "still have", "still for sale", "noch verfügbar", "noch zu haben"),
            says("toujours disponible", "encore disponible", "sigue disponible", "todavía disponible"),
            says("ancora disponibile", "ancora in vendita"),
            { all: [isAbout("pricing", "purchase"), { not: trades }, { not: financing }] }
          ]
        },
        actions: [
          tag("buyer"),
          task("follow_up", "Look whether the car is there and answer", 60),
          reply(
            "Thank you for your interest. We will check right away and get back to you. Would you like to take a test drive?"
          )
        ]
      }
    ]
  }
}
