package envelope

import (
	"strings"
	"testing"
)

// TestPlan: the slowest node of a query's plan is shown, with its filter.
func TestPlan(t *testing.T) {
	plan := ` Sort  (cost=18234.11..18240.43 rows=2530 width=48) (actual time=4812.337..4812.401 rows=212 loops=1)
   Sort Key: o.created_at DESC
   Sort Method: quicksort  Memory: 41kB
   ->  Nested Loop  (cost=0.86..18091.02 rows=2530 width=48) (actual time=3.102..4811.920 rows=212 loops=1)
         ->  Seq Scan on orders o  (cost=0.00..15210.00 rows=2530 width=40) (actual time=2.913..4790.004 rows=212 loops=1)
               Filter: ((status)::text = 'open'::text)
               Rows Removed by Filter: 1249788
` + strings.Repeat("         ->  Index Scan using customers_pkey on customers c  (cost=0.43..1.14 rows=1 width=16) (actual time=0.001..0.002 rows=1 loops=212)\n               Index Cond: (id = o.customer_id)\n", 8) +
		" Planning Time: 0.412 ms\n Execution Time: 4812.511 ms\n"
	for _, question := range []string{"", "Why is the query slow?"} {
		s, _ := service()
		out := wrap(t, s, Result{Value: quoted(plan), MaxTokens: 300, Question: question})
		for _, want := range []string{"Seq Scan on orders", "Rows Removed by Filter: 1249788", "Filter: ((status)"} {
			if !strings.Contains(out.Content, want) {
				t.Errorf("%q: %q is not in\n%s", question, want, out.Content)
			}
		}
	}
}
