-- Stores the previous minimum balance of a product, so that pagination by minimum balance keeps its order.
CREATE TRIGGER product_moved AFTER UPDATE ON product FOR EACH ROW WHEN (old.min_balance_pence <> new.min_balance_pence)
  EXECUTE FUNCTION record_moved_row('source_key', 'min_balance_pence');
