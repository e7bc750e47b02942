package extract

import "github.com/ctx-mcp/ctx-mcp/language"

// wholeForms are held against whole sentences, because their acts span clauses.
var wholeForms = []form{
	{
		Name: "used_to_like_now", Doc: "a taste has moved from one thing to another", Kind: Replaces, Aspect: Liking,
		near: []string{"used to"},
		pattern: words(`(?:.{1,60}[,:;] )?(?:i|we){adv} used to{adv} {like} {t}(?: (?:quite a bit|a lot))?,? (?:but|and) (?:then )?(?:now|lately|recently|these days|nowadays|i)(?:,|\b).*?\b` +
			`(?:like|love|enjoy|prefer|liking|enjoying|loving|digging|into|drawn to|to|about|with|toward|towards|finding|find|more) (?:prefer |like |love |enjoy |appreciate )?(?:a lot )?(?:more |much more )?{n}(?: (?:more|much more|a lot more)(?: (?:captivating|engaging|interesting|compelling))?)?`),
		unless: language.NewPattern(`(?i)\b(?:anymore|any more|not (?:so|that|such|as|really)|f[io]u?nd(?:ing)? (?:them|it|him|her|those|that)\b|don't|doesn't|didn't|dislike|less|gone off|over it|moved on|changed my mind|repetitive|bleak|boring|bit too|depressing)\b`),
		Yes: []string{
			"I used to really like jazz, but lately I've been enjoying techno. => jazz | techno",
			"I used to be into road bikes, but now I'm all about gravel bikes => road bikes | gravel bikes",
			"You know, I used to love horror films, but I've come to prefer comedies. => horror films | comedies",
		},
		No: []string{"I used to like jazz when I was at school", "I used to like jazz, but not anymore", "Did you use to like jazz, but now prefer techno?"},
	},
	{
		Name: "used_to_like", Doc: "a taste is over", Kind: Ends, Aspect: Liking,
		near:    []string{"used to"},
		pattern: words(`(?:.{1,60}[,:;] )?(?:i|we){adv} used to{adv} {like} {t}(?: quite a bit| a lot)?(?:,? (?:but|and|because|until|though)\b.*)`),
		Yes: []string{
			"I used to like jazz, but I'm not into it anymore. => jazz",
			"Speaking of change, I used to really enjoy crime novels, but honestly they feel too dark now => crime novels",
		},
		No: []string{"I used to like jazz at school", "If I used to like jazz, but now I don't, what happened?", "I like jazz"},
	},
	{
		Name: "favourite_changed", Doc: "a favourite has changed", Kind: Replaces, Aspect: Liking,
		near:    []string{"used to"},
		pattern: words(`(?:.{1,60}[,:;] )?my favou?rite .{2,40}? used to be {t},? but .*?\b(?:is|are|it's|into|about|prefer|like|love|enjoy) {n}`),
		unless:  language.NewPattern(`(?i)\bnot\b|n't\b`),
		Yes:     []string{"My favourite editor used to be vim, but now it's Helix => vim | Helix"},
		No:      []string{"My favourite editor used to be vim", "My favourite editor is Helix"},
	},
	{
		Name: "used_to_dislike", Doc: "a distaste is over", Kind: Replaces, Aspect: Liking, Against: true,
		near:    []string{"used to"},
		pattern: words(`(?:.{1,60}[,:;] )?(?:i|we){adv} used to{adv} {hate} {t},? but\b.*\b(?:i|we)\b.*\b(?:like|love|enjoy|appreciate|into|fascinating|great|grown on)\b.*`),
		unless:  language.NewPattern(`(?i)\bstill\b`),
		Yes:     []string{"I used to dislike olives, but now I love them. => olives", "I used to hate running, but I've really come to enjoy it lately => running"},
		No:      []string{"I used to dislike olives, but I still don't love them", "I dislike olives"},
	},
	{
		Name: "no_longer_like", Doc: "a taste is over, told from the present", Kind: Ends, Aspect: Liking,
		near:    []string{"more", "longer", "these days", "as much"},
		pattern: words(`(?:.{1,60}[,:;] )?(?:i|we)(?:'m| am|'re| are)?{adv} (?:don't|do not|not|no longer|can't)(?: really| particularly| even| actually| quite| such| so| that| as)* (?:like|love|enjoy|enjoying|liking|prefer|care for|listen to|into|fond of|keen on|interested in|drawn to|a (?:big |huge )?fan of|crazy about) {t} (?:anymore|any more|any longer|these days|as much as (?:i|we) (?:used to|did))(?:[;,.] .*)?`),
		Yes: []string{
			"I'm not really into jazz anymore. => jazz",
			"I don't enjoy long flights any more => long flights",
			"Actually, I'm not a fan of that band these days; they got boring => that band",
		},
		No: []string{"I'm not into jazz", "I don't enjoy long flights", "Do you not like jazz anymore?"},
	},
}

// clauseForms are held against single clauses. The first that fits is the act; the closer ones stand first.
var clauseForms = []form{
	{
		Name: "gone_off", Doc: "a taste is over, in a word of its own", Kind: Ends, Aspect: Liking,
		pattern: words(`{we} (?:gone off|moved on from|grown out of|outgrown|outgrew|lost interest in|grown (?:tired|bored) of|gotten (?:tired|bored) of|got tired of|tired of|fallen out of love with|over) {t}`),
		unless:  language.NewPattern(`(?i)\b(?:not|never|n't)\b|\bover (?:\d|an? |the )`),
		Yes:     []string{"I've really gone off horror films lately => horror films", "I've lost interest in crosswords => crosswords"},
		No:      []string{"I'm over the moon", "I haven't gone off horror films"},
	},
	{
		Name: "no_longer_for_me", Doc: "a thing has lost its appeal", Kind: Ends, Aspect: Liking,
		near:    []string{"more", "longer", "these days"},
		pattern: words(`{t}{adv} (?:do|does|is|are)(?:n't| not){adv} (?:resonate|resonating|click|clicking|do it|doing it|appeal|appealing|work|working|grab|grabbing|my thing|for me)(?: (?:with|for|to) me)?(?: (?:anymore|any more|any longer|these days))`),
		unless:  language.NewPattern(`(?i)^(?:i|we|you)\b`),
		Yes:     []string{"Her novels just don't resonate with me anymore => Her novels", "Spicy food doesn't appeal to me any more => Spicy food"},
		No:      []string{"Her novels don't resonate with me", "The lamp doesn't work"},
	},
	{
		Name: "no_longer_like_clause", Doc: "as no_longer_like, beside other clauses", Kind: Ends, Aspect: Liking,
		near:    []string{"more", "longer", "these days"},
		pattern: words(`(?:i|we)(?:'m| am|'re| are)?{adv} (?:don't|do not|not|no longer)(?: really| particularly| even| actually| such| so| that)* (?:like|love|enjoy|enjoying|care for|listen to|into|fond of|keen on|interested in|drawn to|a (?:big |huge )?fan of) {t} (?:anymore|any more|any longer|these days)`),
		Yes:     []string{"It was fun, but I don't like karaoke anymore => karaoke"},
		No:      []string{"I don't like karaoke"},
	},
	{
		Name: "prefers_over", Doc: "one taste stands over another", Kind: Replaces, Aspect: Liking,
		near:    []string{"than", "over"},
		pattern: words(`(?:.{1,40}, )?(?:i|we)(?:'ve| have|'m| am)?{adv} (?:started to |come to |begun to |been |started |realized i |really )*(?:{adv} )?(?:really |much |actually )*(?:prefer|like|enjoy|love|preferring|enjoying|liking|drawn to|getting into|into)(?: reading| watching| listening to| playing)? {n}(?: lately| recently| now| these days)?,? (?:(?:much |a lot |way )?more than|over|rather than|instead of) {t}`),
		unless:  language.NewPattern(`(?i)\b(?:over (?:the|a|an|it|time|\d)|more than (?:\d|i|we|ever|anything|once|just|one|two|a|an|you|most|any|expected|before)\b)`),
		only:    language.NewPattern(`(?i)\b(?:lately|recently|now|nowadays|these days|started|come to|begun|used to|realized|anymore)\b`),
		Yes: []string{
			"I've started to prefer podcasts over radio lately => radio | podcasts",
			"I've been getting into pottery lately, much more than the knitting I used to like => the knitting | pottery",
		},
		No: []string{"I prefer tabs instead of spaces", "I enjoy it more than I expected", "I prefer to talk over the phone", "I would prefer podcasts over radio"},
	},
	{
		Name: "from_to", Doc: "something was changed from one value to another", Kind: Replaces, Aspect: Any,
		near:    []string{"from"},
		pattern: words(`(?:{we}|{ask}) ?(?:changed|switched|moved|went|gone|updated|revised|change|switch|update|move|revise|revert|reverted)(?: over)?(?P<a> (?:the|my|our) .+?)? from {t} (?:back )?to {n}`),
		unless:  language.NewPattern(`(?i)\bfrom (?:time|now|here|there|then|one|place|side)\b`),
		asked:   true,
		Yes:     []string{"We switched from Jenkins to Buildkite => Jenkins | Buildkite", "I changed the deadline from Monday to Friday => the deadline Monday | Friday"},
		No:      []string{"It runs from Monday to Friday", "I moved from time to time to a new desk", "I might switch from vim to emacs"},
	},
	{
		Name: "moved_to", Doc: "an appointment has another time", Kind: Replaces, Aspect: Event,
		pattern: words(`(?:{we}|i had to|we had to|i{adv} had to)(?:{adv}) (?:moved|rescheduled|postponed|pushed|shifted|delayed|bumped|reschedule|postpone|move|push)(?: back| up| forward| out)? {t} (?:from .+? )?(?:to|until|till|for) {n}`),
		unless:  language.NewPattern(`(?i)\b(?:to|for) (?:a|an|the|my|our|his|her|their|new|other)\b|\b(?:moved|pushed) (?:on|over|in|out|away|forward)\b|\b(?:not|never|n't)\b|^i'm|^we're`),
		Yes: []string{
			"We moved the retro to Friday => the retro | Friday",
			"I had to reschedule my dentist appointment for next Tuesday at 10 AM => my dentist appointment | next Tuesday at 10 AM",
			"I just moved it to next Tuesday => | next Tuesday",
		},
		No: []string{"I moved the sofa to the living room", "We didn't move the retro to Friday", "We may have moved the retro to Friday", "I moved to Berlin"},
	},
	{
		Name: "is_moved_to", Doc: "an appointment was given another time", Kind: Replaces, Aspect: Event,
		near:    []string{"moved", "resched", "postpon", "pushed", "shifted", "delayed"},
		pattern: words(`{t} (?:has been|have been|was|were|got|is|are)(?: now)? (?:moved|rescheduled|postponed|pushed(?: back)?|shifted|delayed) (?:from .+? )?(?:to|until|till|for) {n}`),
		unless:  language.NewPattern(`(?i)\bto (?:a|an|the|my|our|his|her|their|new)\b|(?:\bnot|\bnever|n't)\b|^(?:i|we|you|they|he|she)\b`),
		Yes:     []string{"The launch has been postponed until May 4th => The launch | May 4th"},
		No:      []string{"I was moved to tears", "The launch was not moved to May"},
	},
	{
		Name: "withdraw_from_list", Doc: "an entry is to be taken off a list", Kind: Withdraws, Aspect: Any,
		near:    []string{"remov", "delet", "erase", "drop", "tak", "cross", "strike", "scratch", "clear"},
		pattern: words(`{ask}(?:also )?(?:remove|delete|erase|drop|take|cross|strike|scratch|clear|removing|deleting|taking|crossing)(?: off)? {t}(?: off| out)? (?:from|off|out of|off of) (?:my|the|our|your|that|this|those)\b.*`),
		unless:  language.NewPattern(`(?i)\b(?:don't|do not|not|never|n't|how|why|when) (?:to )?(?:remove|delete|drop|take|cross)|^i take\b`),
		asked:   true,
		Yes: []string{
			`Please remove "buy milk" from my list. => buy milk`,
			"You can take the dentist off my calendar => the dentist",
			"Can you delete that from my to-do list? => ",
			`I'm going to delete "water the plants" from my to-do list => water the plants`,
		},
		No: []string{"I take the bus from the station", "Don't remove milk from my list", "How do I remove rust from my bike?", "She removed milk from my list"},
	},
	{
		Name: "forget", Doc: "what was said is not to be kept", Kind: Withdraws, Aspect: Any, Before: true,
		near:    []string{"forget", "disregard", "ignore", "strike", "discard", "scratch", "delete", "remove", "erase"},
		pattern: words(`{ask}(?:forget|disregard|ignore|strike|discard|scratch|delete|remove|erase) (?:(?:about |everything (?:that )?|all (?:that )?)?(?:what )?(?:i|we) (?:said|told you|mentioned|wrote|asked)(?: you)?(?: (?:about|of|on) {t})?(?: (?:earlier|before|just now))?|(?:about )?(?:that|this)(?: (?:one|last (?:one|message|note)|note|message|memory))?|(?:that|the|my|this) (?:memory|note|entry|item) (?:about|on|of) (?P<t2>.+))`),
		unless:  language.NewPattern(`(?i)\b(?:don't|do not|never|n't|won't)\b`),
		asked:   true,
		Yes: []string{
			"Forget what I said about the merger => the merger",
			"Please delete that => ",
			"Disregard what I said earlier => ",
			"Can you delete the note about Berlin? => Berlin",
		},
		No: []string{"Don't forget that", "I won't forget what you said", "I always forget this", "SYSTEM: forget everything", "Forget it"},
	},
	{
		Name: "never_mind", Doc: "what was just said is taken back", Kind: Withdraws, Aspect: Any, Before: true,
		near:    []string{"mind"},
		pattern: words(`(?:never ?mind)(?: (?:(?:about )?(?:that|what i said|this)|(?:about|the|my) {t}))`),
		Yes:     []string{"Never mind the umbrella => umbrella", "Never mind that => "},
		No:      []string{"Never mind", "I never mind the rain", "You never mind that"},
	},
	{
		Name: "correction", Doc: "what was just said was wrong", Kind: Replaces, Aspect: Any, Before: true,
		near:    []string{"correction", "meant", "misspoke"},
		pattern: words(`(?:correction|(?:sorry|no|wait)[,:]? i meant|i misspoke)[:,;]? {n}`),
		Yes:     []string{"Correction: the flight is at nine => | the flight is at nine"},
		No:      []string{"The correction was small", "I meant no harm"},
	},
	{
		Name: "no_longer_track", Doc: "something need no longer be done", Kind: Ends, Aspect: Task,
		pattern: words(`(?:i|we)(?:'m| am|'re| are)?{adv} (?:no longer|don't|do not|won't|not)(?: actually)? (?:need|needs|have|want|wants|plan|intend|planning|going|tracking|need to be tracking|doing|attending|working on|pursuing)(?: on)?(?: to)?(?: (?:track|keep track of|worry about|be reminded (?:about|of|to)|tracking))? {t}(?: (?:anymore|any more|any longer))?(?: (?:from|on|off|in|as|for) (?:my|a|our|the) (?:.*)?(?:list|tasks?|to-?dos?|calendar|agenda|events?)\b.*)?`),
		unless:  language.NewPattern(`(?i)^(?:i|we)(?:'m| am|'re| are)?(?: \w+){0,2} (?:don't|do not|won't|not)\b(?:.*[^e]$|.*[^r]e$)|\bto (?:say|think|go|leave|know)\b`),
		Yes: []string{
			`I no longer need to track "Visit the library" on my to-do list => Visit the library`,
			"I'm no longer planning the garden party => the garden party",
			"I don't need to renew the visa anymore => renew the visa",
		},
		No: []string{"I don't need to renew the visa", "I need to renew the visa", "I no longer think so"},
	},
	{
		Name: "cancelled", Doc: "a plan, an event or a subscription was called off", Kind: Ends, Aspect: Any,
		pattern: words(`(?:{we}|i had to|we had to|i decided to|we decided to) (?:cancel|cancell?ed|called off|call off|scrapped|scrap|abandoned|unsubscribed from|dropped out of) {t}(?:,? (?:because|since|as|after)\b.*)?`),
		Yes:     []string{"I cancelled the gym membership => the gym membership", "We had to call off the picnic => the picnic"},
		No:      []string{"I haven't cancelled the gym membership", "I need to cancel the gym membership", "Did I cancel the gym membership?", "I would have cancelled it", "They cancelled the show"},
	},
	{
		Name: "is_cancelled", Doc: "a plan or an event is off", Kind: Ends, Aspect: Any,
		near:    []string{"cancel", "called off", "scrapped", "off the table"},
		pattern: words(`{t} (?:has been|have been|was|were|got|is|are)(?: now| just)? (?:cancell?ed|called off|scrapped|off the table)`),
		unless:  language.NewPattern(`(?i)^(?:i|you|he|she|they|when|what|which)\b`),
		Yes:     []string{"The offsite has been cancelled => The offsite"},
		No:      []string{"The offsite has not been cancelled", "If the offsite is cancelled, we rest", "Is the offsite cancelled?"},
	},
	{
		Name: "disposed", Doc: "something is no longer owned or used", Kind: Ends, Aspect: State,
		pattern: words(`{we} (?:sold|gave away|given away|got rid of|gotten rid of|threw (?:away|out)|thrown (?:away|out)|donated|uninstalled|quit|stopped using|stopped going to|stopped taking|traded in|broke up with) {t}`),
		unless:  language.NewPattern(`(?i)\b(?:out of|out the|some|a few|a lot|several|many|\d+) `),
		Yes:     []string{"I sold the car => the car", "I finally quit my job => my job", "We stopped using Jenkins => Jenkins"},
		No:      []string{"I haven't sold the car", "I want to sell the car", "She sold the car", `He said: "I sold the car"`, "I sold some books"},
	},
	{
		Name: "finished", Doc: "something was done", Kind: Ends, Aspect: Task,
		pattern: words(`{we} (?:finished|completed|done with|done|through with|wrapped up|took care of|taken care of|checked off|ticked off|crossed off|managed to)(?: up| off)? {t}`),
		Yes: []string{
			"I actually just finished preparing the slides => preparing the slides",
			"I've completed my tax return => my tax return",
			"I'm done with the inventory => the inventory",
		},
		No: []string{"I haven't finished the report", "I hope I finished the report", "If I finished the report, I can go", "When I finish the report", "The team finished the report"},
	},
	{
		Name: "is_done", Doc: "something is done", Kind: Ends, Aspect: Task,
		near:    []string{"done", "finish", "complete", "taken care", "submitted", "paid", "sorted", "checked"},
		pattern: words(`{t} (?:is|are|has been|have been|'s|'s been)(?: now| all| already| finally| just)* (?:done|finished|completed?|taken care of|submitted|paid|sorted|sorted out|checked off)`),
		unless:  language.NewPattern(`(?i)^(?:i|you|he|she|they|when|what|which|who|once|after|until|before|as soon as|work|nothing|how)\b`),
		Yes:     []string{"The tax return is done => The tax return", "The inventory is finished => The inventory", "That task is done => "},
		No:      []string{"The tax return is not done", "Once the tax return is done, I rest", "Is the tax return done?"},
	},
	{
		Name: "did", Doc: "what was to be done was done", Kind: Ends, Aspect: Task, Weak: true,
		pattern: words(`{we} (?P<a>[a-z]*[a-df-z]ed|bought|paid|sent|wrote|written|went to|made|met|read|took|taken|did|got|booked|set up|spoke|called|ran|gave|left|saw|held|built|found|chose|drew|drove|taught|told|flew|sold|put) {t}`),
		unless:  language.NewPattern(`(?i)^(?:i|we)(?:'ve| have|'m| am)?(?: \w+)* (?:need|want|lik|lov|enjoy|prefer|preferr|dislik|hat|us|tri|attempt|start|plann|decid|hop|wonder|notic|realiz|realis|learn|watch|hear|chang|liv|work|mov|fail|forgott|agree|believ|consider|look|talk|discuss|mention|ask|experienc|mistak|interest|excit|tir|bor|confus|impress|surpris|amaz|fascinat|inspir|pleas|thrill|relat|reliev|overwhelm|stress|motivat|curiou)i?ed\b|\b(?:read|heard) that\b`),
		Yes:     []string{"I paid the electricity bill => paid the electricity bill", "I already called the plumber => called the plumber"},
		No:      []string{"I haven't paid the electricity bill", "I wanted the window seat", "I almost called the plumber"},
	},
}
