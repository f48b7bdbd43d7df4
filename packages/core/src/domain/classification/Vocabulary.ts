import { type Phrase, phraseOf } from "./Words.ts"

/**
 * The word lists of the built-in classifier. They contain only English words, and only words with a clear meaning. A
 * missed word costs a few points, but a wrong match misroutes a lead.
 */
const list = (phrases: string): ReadonlyArray<Phrase> => phrases.split(",").map(phraseOf)

/** Questions about prices. */
export const pricing = list(
  "price, prices, pricing, cost, costs, how much, quote, quotes, quotation, estimate, estimates, rate, rates, fee, fees, budget, discount, price list, free estimate"
)

/** Requests for an appointment. */
export const booking = list(
  "appointment, appointments, book, booking, schedule, reschedule, reserve, reservation, availability, available, time slot, slot, come by, come out, visit, site visit, viewing, consultation, demo, meeting, set up a call, call me, call me back, callback"
)

/** The wish to buy. */
export const purchase = list(
  "buy, buying, purchase, order, sign up, get started, ready to start, ready to go, move forward, go ahead, hire, hire you, interested, interested in, looking for, need a, need an, want to buy, would like to order, subscribe, upgrade, in the market"
)

/** Requests for information. */
export const information = list(
  "information, more info, details, brochure, catalogue, catalog, tell me more, learn more, opening hours, open on, do you offer, do you have, can you, is it possible, wondering, question about"
)

/** Customers with a problem. */
export const support = list(
  "help, support, issue, problem, broken, not working, doesnt work, does not work, error, bug, stopped working, cannot log in, cant log in, reset my password, warranty, repair my, track my order, where is my order, invoice"
)

/** Expressions of a complaint. */
export const complaint = list(
  "complaint, complain, refund, money back, unacceptable, disappointed, terrible, worst, awful, rude, never again, ripped off, rip off, lawyer, legal action, still waiting, still no answer"
)

/** The wish to end a contract. */
export const cancellation = list(
  "cancel, cancellation, cancel my, terminate, end my contract, close my account, stop my subscription"
)

/** The wish to receive no more messages. */
export const unsubscribe = list(
  "unsubscribe, opt out, remove me, take me off, stop emailing, stop texting, stop messaging, stop contacting, do not contact, dont contact, do not call, dont call, do not text, dont text, leave me alone"
)

/** A refusal of the offer. */
export const refusal = list(
  "not interested, no longer interested, no longer need, no longer looking, dont need, do not need, went with someone else, went with another, chose another, already found, already have one, no thanks, no thank you, changed my mind"
)

/** Unsolicited offers. */
export const spam = list(
  "seo, backlinks, backlink, guest post, link building, first page of google, rank higher, web traffic, increase your traffic, crypto, bitcoin, forex, casino, lottery, inheritance, viagra, cialis, million dollars, wire transfer, business loan, merchant cash advance, work from home, email list, leads database, outsource your, act now, limited time offer"
)

/** Urgent requests. */
export const urgent = list(
  "urgent, urgently, asap, as soon as possible, immediately, right away, right now, emergency, today, tonight, this morning, this afternoon, this evening, first thing tomorrow, tomorrow, by friday, this week, deadline, leak, leaking, flooded, flooding, no heat, burst"
)

/** Requests without time pressure. */
export const unhurried = list(
  "no rush, no hurry, not urgent, whenever you can, when you get a chance, sometime, next year, next month, some day, someday, just browsing, just looking, eventually"
)

/** Expressions of satisfaction. */
export const positive = list(
  "thanks, thank you, great, perfect, awesome, excellent, love, wonderful, amazing, happy, pleased, appreciate, fantastic, recommend, excited, looking forward, good job, well done"
)

/** Expressions of dissatisfaction. */
export const negative = list(
  "angry, upset, annoyed, frustrated, frustrating, disappointed, disappointing, terrible, awful, horrible, worst, bad, poor, unhappy, unacceptable, ridiculous, rude, hate, useless, waste, scam, complaint, never again, ripped off, still waiting"
)
