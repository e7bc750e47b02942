package receipts

import (
	"context"
	"encoding/json"
)

// ReceiptsOf returns the receipts of a tenant that name a packet, each as its envelope, in the order of the log. It reads the whole log.
func (s *Service) ReceiptsOf(ctx context.Context, tenant, ref string) (found []json.RawMessage, err error) {
	end, err := s.Log.LogEnd(ctx)
	if err != nil {
		return nil, err
	}
	err = s.each(ctx, end.Size, func(e Entry) error {
		if ctx.Err() != nil || e.Tenant != tenant {
			return ctx.Err()
		}
		o, err := open(e.Envelope)
		if err != nil {
			return damaged(e.Index, err)
		}
		if o.body.ContextRef == ref {
			found = append(found, e.Envelope)
		}
		return nil
	})
	return found, err
}
