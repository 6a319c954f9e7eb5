<?php
/**
 * Plugin Name: Application passwords over loopback
 * Description: Lets a toolpress that runs beside WordPress log in over plain http.
 *
 * WordPress takes application passwords only over https (wp_is_application_passwords_available). A sidecar asks
 * over loopback, where https would add nothing. Everybody else is judged as before.
 *
 * Put it into wp-content/mu-plugins. It must not be used where a proxy on the same machine or in the same pod
 * passes plain http on from elsewhere: WordPress would see loopback as well.
 */
add_filter(
	'wp_is_application_passwords_available',
	static function ( $available ) {
		return $available || in_array( $_SERVER['REMOTE_ADDR'] ?? '', array( '127.0.0.1', '::1' ), true );
	}
);
