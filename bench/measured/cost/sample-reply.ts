/**
 * A reply as an auditor model writes it, of the length that the tables assume for every reasoned reply. Real ones vary: a
 * model that thinks at length writes several times as much, and all rows scale alike.
 */
export const SAMPLE_REPLY = `<think>Step 0 asks for the population of the town in 2010. At step 1 the planner splits the task into finding the census page and reading the figure. At step 2 the searcher opens the page of the 2010 census, and step 3 returns the table. At step 4 the reader takes 14,207 from the table, but that is the row of the county seat for 2000; the row for 2010 says 15,031. No later turn checks the year, and the writer goes on with the wrong figure. Had step 4 taken the right row, the answer would have been right. Step 3 itself is sound: the table holds both rows.</think><answer>{"answer": 4, "agent": "reader", "reason": "It took the figure for 2000 instead of 2010 from the table, and every later step builds on it."}</answer>`;
