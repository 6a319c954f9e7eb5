package runtime

import (
	"net/http"
	"strings"
)

// nextByCode is what to do about an error code of WordPress
// (wp-includes/rest-api, wp-includes/abilities-api; taxonomy.php and user.php, whose
// refusals go out with status 500), or nothing when the code says no more than the
// status.
func nextByCode(code string, status int) string {
	switch code {
	case "rest_forbidden", "rest_forbidden_context", "rest_ability_cannot_execute", "ability_invalid_permissions":
		return "do not repeat the call: the account toolpress uses may not do this. Tell the user, or use another tool."
	case "invalid_username", "invalid_email":
		if status != http.StatusUnauthorized { // of a user that is to be made
			return nextByStatus(http.StatusBadRequest)
		}
		return nextByCode("rest_not_logged_in", status)
	case "rest_not_logged_in", "incorrect_password", "application_passwords_disabled":
		return "do not repeat the call: the site does not accept toolpress's credential. Tell the user to renew it."
	case "rest_no_route", "rest_ability_not_found":
		return "do not repeat the call: the site no longer offers this. Read the list of tools again and tell the user."
	case "rest_invalid_param", "ability_invalid_input":
		return "correct the arguments that are named and call again."
	case "rest_missing_callback_param":
		return "add the arguments that are named and call again."
	case "term_exists", "duplicate_term_slug", "existing_user_login", "existing_user_email", "rest_user_exists":
		return "there is one like it already, and nothing was changed: find and use that one, or give yours another name."
	case "comment_duplicate":
		return "do not repeat the call: the same comment is there already."
	case "empty_term_name", "invalid_term", "invalid_term_id", "invalid_taxonomy", "missing_parent", "empty_user_login", "user_login_too_long", "user_nicename_too_long", "user_url_too_long":
		return nextByStatus(http.StatusBadRequest)
	case "rest_already_trashed":
		return "nothing more is needed: it is in the trash already. Only deleting it for good is left, with force."
	case "rest_trash_not_supported":
		return "it cannot be moved to the trash, only deleted for good: if the user wants that and the tool has an argument force, call again with it set to true."
	case "rest_ability_invalid_method":
		return "do not repeat the call: the ability has changed. Read the list of tools again and tell the user."
	}
	if shop, is := strings.CutPrefix(code, "woocommerce_rest_"); is {
		return nextByShopCode(shop, status)
	}
	switch {
	case strings.HasPrefix(code, "rest_upload_"), code == "rest_invalid_url":
		return nextOfUpload(code)
	case strings.HasPrefix(code, "rest_cannot_"):
		return "do not repeat the call: the account toolpress uses may not do this. Tell the user, or use another tool."
	case strings.HasSuffix(code, "_invalid_id"), code == "rest_term_invalid", strings.HasSuffix(code, "_invalid") && status == http.StatusNotFound:
		return "there is nothing with this id, or it may not be seen. Find the right id with a list or a search, and call again."
	}
	return ""
}

// nextOfUpload is what to do about a refusal of an upload
// (WP_REST_Attachments_Controller), of which nothing is kept; or nothing.
func nextOfUpload(code string) string {
	switch code {
	case "rest_upload_sideload_error", "rest_upload_unknown_error": // wp_handle_upload kept nothing
		return "nothing was kept. If the site says that it does not take such a file, another name will not help: call again with a file of a type that it takes, or tell the user."
	case "rest_upload_no_data":
		return "the file did not reach WordPress: it may be larger than the site's PHP takes (post_max_size). Call again with a smaller one, or tell the user."
	case "rest_upload_no_content_type", "rest_upload_no_content_disposition", "rest_upload_invalid_disposition", "rest_upload_hash_mismatch":
		return "do not repeat the call: something between toolpress and WordPress changes uploads on their way. Nothing was kept; tell the user, whose administrator has to look at it."
	case "rest_upload_file_too_big":
		return "nothing was kept. Call again with a smaller file, or tell the user."
	case "rest_upload_limited_space", "rest_upload_user_quota_exceeded":
		return "do not repeat the call: the site has no room for it, and nothing was kept. Tell the user, who can delete files or ask the administrator for more."
	case "rest_upload_file_error":
		return "do not repeat the call: the site cannot store files, and nothing was kept. Tell the user, whose administrator has to look at it."
	case "rest_upload_image_type_not_supported", "rest_upload_invalid_image":
		return "nothing was kept. Call again with the picture as a JPEG or PNG."
	case "rest_invalid_url":
		return "give the address of the picture itself: its path has to end in the name of one, such as picture.jpg."
	}
	return ""
}

// nextByShopCode is what to do about an error code of WooCommerce's REST API, without
// the "woocommerce_rest_" that all begin with (its includes/rest-api and
// includes/class-wc-rest-authentication.php). Most that name what is wrong begin with
// invalid_ or end with it.
func nextByShopCode(code string, status int) string {
	if strings.HasPrefix(code, "cannot_") && status == http.StatusUnauthorized {
		return "do not repeat the call: the shop does not see who asks: its consumer key is not known, the Authorization header is lost on the way, or the shop does not know that it is asked over https. Tell the user: toolpress doctor tells which."
	}
	switch code {
	case "authentication_error": // a key that is known, with another secret or without the permission
		return "do not repeat the call: the shop does not take toolpress's consumer key for this: its secret is wrong, or it may only read or only write. Tell the user, who gives it Read/Write under WooCommerce → Settings → Advanced → REST API."
	case "cannot_view", "cannot_create", "cannot_edit", "cannot_delete", "cannot_batch", "trash_not_supported", "already_trashed":
		return nextByCode("rest_"+code, status)
	case "required_product_reference":
		return "each item needs the product's id: find it with a list or a search, add it and call again."
	}
	switch {
	case strings.HasSuffix(code, "_invalid_id"), strings.HasSuffix(code, "_invalid_parent"), strings.HasPrefix(code, "invalid_") && strings.HasSuffix(code, "_id"),
		code == "invalid_order", code == "term_invalid":
		return "there is nothing with this id in the shop, or it may not be seen. Find the right id with a list or a search, and call again."
	case strings.HasSuffix(code, "_exists"):
		return "the shop has one like it already: find and read that one, or give yours another name."
	case strings.Contains(code, "invalid"):
		return "the shop does not take a value: correct the arguments and call again."
	}
	return ""
}

func nextByStatus(status int) string {
	switch {
	case status == 401:
		return "do not repeat the call: the site does not accept toolpress's credential for this. Tell the user."
	case status == 403:
		return "do not repeat the call: it is not allowed. Tell the user, or use another tool."
	case status == 404 || status == 410:
		return "it does not exist. Find the right id or name with a list or a search, and call again."
	case status == 409 || status == 412:
		return "something else has changed it. Read it again and decide anew."
	case status == 429:
		return "the site asks for fewer calls. Wait a minute before the next one."
	case status >= 500:
		return "the fault is on the site. Try once more in a moment; if it fails again, tell the user."
	}
	return "correct the arguments and call again."
}
